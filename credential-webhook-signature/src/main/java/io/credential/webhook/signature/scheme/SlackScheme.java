package io.credential.webhook.signature.scheme;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

/**
 * Slack: {@code X-Slack-Signature: v0=<hex>} is an HMAC-SHA-256 of {@code v0:<timestamp>:<body>}, under the signing secret
 * of the app. {@code X-Slack-Request-Timestamp} contains the timestamp. The id and the type of an event
 * are in the body.
 */
final class SlackScheme implements WebhookScheme {

    private static final String SIGNATURE = "X-Slack-Signature";
    private static final String TIMESTAMP = "X-Slack-Request-Timestamp";
    private static final String PREFIX = "v0=";

    @Override
    public String name() {
        return "slack";
    }

    @Override
    public Verifier verifier(Map<String, SecretBytes> keys) {
        HmacSha256Keys hmac = new HmacSha256Keys(keys);
        return head -> {
            byte[] signature = HeaderFields.hexSignature(head, SIGNATURE, PREFIX);
            long timestamp = HeaderFields.timestamp(head, TIMESTAMP);
            return hmac.presented(
                    new WebhookClaims(null, null, timestamp, Set.of(Part.TIMESTAMP)),
                    "v0:" + UnixSeconds.format(timestamp) + ":",
                    List.of(signature),
                    SlackScheme::inBody);
        };
    }

    /** The type of an {@code event_callback} is that of the event in it. */
    private static BodyClaims inBody(byte[] body) {
        Map<String, String> texts = BodyClaims.texts(body, Set.of("event_id", "type", "event.type"));
        String type = texts.get("type");
        return new BodyClaims(
                texts.get("event_id"), "event_callback".equals(type) ? texts.getOrDefault("event.type", type) : type);
    }
}
