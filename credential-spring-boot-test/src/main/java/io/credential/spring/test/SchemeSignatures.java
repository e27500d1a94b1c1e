package io.credential.spring.test;

import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.internal.GitHubSigner;
import io.credential.webhook.signature.internal.StandardWebhooksSigner;
import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Signs one body in the formats of other senders. */
final class SchemeSignatures {

    private static final String PUBLIC_KEY = "whpk_";

    private final byte[] key;
    private final @Nullable String id;
    private final Instant time;
    private final byte[] body;

    /** @param id null for a new one */
    SchemeSignatures(byte[] key, @Nullable String id, Instant time, byte[] body) {
        this.key = key;
        this.id = id;
        this.time = time;
        this.body = body;
    }

    /** @throws IllegalStateException if the scheme, or the key, is one that cannot sign here */
    Map<String, String> headers(String scheme) {
        return switch (scheme) {
            case "standard-webhooks" -> standard();
            case "slack" -> slack();
            case "github" ->
                withId(
                        "X-GitHub-Delivery",
                        new GitHubSigner("X-Hub-Signature-256", SecretBytes.copyOf(key)).headers(body));
            case "shopify" ->
                withId(
                        "X-Shopify-Webhook-Id",
                        Map.of("X-Shopify-Hmac-SHA256", Base64.getEncoder().encodeToString(hmac(""))));
            default ->
                throw new IllegalStateException("signedWebhook(..) cannot sign in the scheme '" + scheme
                        + "'; add the headers of a signed request yourself");
        };
    }

    private Map<String, String> standard() {
        if (new String(key, US_ASCII).startsWith(PUBLIC_KEY)) {
            throw new IllegalStateException(
                    "A public key cannot sign; pass the private key of the sender, whsk_..., to secret(..)");
        }
        return new StandardWebhooksSigner(List.of(SecretBytes.copyOf(key)), () -> time).headers(body, newId());
    }

    private Map<String, String> slack() {
        if (id != null) {
            throw new IllegalArgumentException("Signatures of 'slack' have no id");
        }
        long seconds = time.getEpochSecond();
        return Map.of(
                "X-Slack-Request-Timestamp",
                Long.toString(seconds),
                "X-Slack-Signature",
                "v0=" + HexText.encode(hmac("v0:" + seconds + ":")));
    }

    private Map<String, String> withId(String header, Map<String, String> signature) {
        Map<String, String> headers = new LinkedHashMap<>(signature);
        headers.put(header, newId());
        return headers;
    }

    /** Other senders have ids of other forms; each is unique. */
    private String newId() {
        return id != null
                ? id
                : WebhookSigner.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v1", key)
                        .build()
                        .sign(body)
                        .id();
    }

    private byte[] hmac(String head) {
        return new HmacSha256Key(SecretBytes.copyOf(key)).compute(head.getBytes(UTF_8), body);
    }
}
