package io.credential.spring.test;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ResourceLoader;

import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties.Algorithm;
import io.credential.spring.autoconfigure.properties.internal.WebhookKey;
import io.credential.spring.autoconfigure.webhook.internal.KeyLoader;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Signs as the senders that the application under test configures. Its context creates it, and injects what the
 * verifiers are created from.
 */
final class ConfiguredSenders {

    private static final String PREFIX = "credential.webhook.inbound.";

    private final Map<String, WebhookInboundProperties> inbound;
    private final KeyLoader keys;
    private final InstantSource clock;

    ConfiguredSenders(WebhookProperties properties, ResourceLoader resources, SharedBeans shared) {
        this.inbound = properties.inbound();
        this.keys = new KeyLoader(resources);
        this.clock = shared.clock();
    }

    /** Returns the headers that sign a body; null selects the default. */
    Map<String, String> headers(
            String name,
            @Nullable String kid,
            @Nullable String secret,
            @Nullable String id,
            @Nullable Instant signedAt,
            byte[] body) {
        WebhookInboundProperties sender = inbound.get(name);
        if (sender == null) {
            throw new IllegalArgumentException(
                    "No incoming webhook is named '" + name + "'; the configured names are " + inbound.keySet());
        }
        String signingKid =
                kid != null ? kid : sender.keys().keySet().iterator().next();
        byte[] key = secret != null ? secret.getBytes(UTF_8) : configured(name, sender, signingKid);
        Instant time = signedAt != null ? signedAt : clock.instant();
        if (sender.isProcessor() || sender.scheme().equals("stripe")) {
            String header = sender.isForeign() ? "Stripe-Signature" : sender.effectiveSignatureHeader();
            return inProcessorStyle(header, key, id, time, body);
        }
        return sender.isForeign()
                ? new SchemeSignatures(key, id, time, body).headers(sender.scheme())
                : signed(sender, signingKid, key, id, time, body);
    }

    private byte[] configured(String name, WebhookInboundProperties sender, String kid) {
        WebhookKey key = sender.keys().get(kid);
        if (key == null) {
            throw new IllegalArgumentException("The incoming webhook '" + name + "' has no key '" + kid
                    + "'; the configured kids are " + sender.keys().keySet());
        }
        SecretBytes secret = key.secret();
        if (secret == null) {
            throw new IllegalStateException("The incoming webhook '" + name + "' is configured with a public key, which"
                    + " cannot sign. Pass signedWebhook(..) a WebhookSigner with the private key.");
        }
        byte[][] loaded = new byte[1][];
        keys.load(PREFIX + name + ".keys." + kid, secret, bytes -> loaded[0] = bytes.clone());
        return loaded[0];
    }

    private static Map<String, String> signed(
            WebhookInboundProperties sender, String kid, byte[] key, @Nullable String id, Instant time, byte[] body) {
        WebhookSigner signer = WebhookSigner.builder()
                .algorithm(Algorithm.HMAC_SHA3_512.text())
                .key(kid, key)
                .signatureHeader(sender.effectiveSignatureHeader())
                .clock(() -> time)
                .build();
        return (id == null ? signer.sign(body) : signer.sign(body, id)).headers();
    }

    private static Map<String, String> inProcessorStyle(
            String header, byte[] key, @Nullable String id, Instant time, byte[] body) {
        if (id != null) {
            throw new IllegalArgumentException("Signatures in '" + header + "' have no id");
        }
        try (ProcessorSignature signature =
                ProcessorSignature.builder().secret(key).signatureHeader(header).build()) {
            return Map.of(signature.signatureHeader(), signature.sign(body, time.getEpochSecond()));
        }
    }
}
