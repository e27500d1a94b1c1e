package io.credential.webhook.signature.internal;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.internal.StandardWebhooksKey;

/** Signs as Standard Webhooks 1.0.0 requires: {@code <id>.<timestamp>.<body>}, with one or more keys. Thread-safe. */
public final class StandardWebhooksSigner {

    private final List<StandardWebhooksKey> keys;
    private final InstantSource clock;

    /**
     * @param secrets whose signatures are sent, in this order
     * @throws WebhookException {@code webhook/bad-secret} if one is malformed
     */
    public StandardWebhooksSigner(List<SecretBytes> secrets, InstantSource clock) {
        this.keys = secrets.stream().map(StandardWebhooksKey::of).toList();
        this.clock = clock;
    }

    /**
     * Returns the public key of a secret, {@code whpk_} and base64; null if it has none.
     *
     * @throws WebhookException {@code webhook/bad-secret} if the secret is malformed
     */
    public static @Nullable String publicKey(SecretBytes secret) {
        return StandardWebhooksKey.of(secret).publicKey();
    }

    /**
     * Returns a new secret.
     *
     * @param random 32 random bytes
     * @param like a secret of the same kind; null for a symmetric one
     */
    public static String generate(byte[] random, @Nullable SecretBytes like) {
        return StandardWebhooksKey.text(random, like == null ? null : StandardWebhooksKey.of(like));
    }

    /**
     * Returns the headers {@code webhook-id}, {@code webhook-timestamp} and {@code webhook-signature}.
     *
     * @param id the same in all attempts; without a dot
     */
    public Map<String, String> headers(byte[] body, String id) {
        String timestamp = UnixSeconds.format(clock.instant().getEpochSecond());
        byte[] head = (SegmentNames.requireId(id) + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", timestamp);
        headers.put(
                "webhook-signature",
                keys.stream().map(key -> key.sign(head, body)).collect(Collectors.joining(" ")));
        return headers;
    }
}
