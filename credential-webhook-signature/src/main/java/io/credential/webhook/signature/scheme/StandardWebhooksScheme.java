package io.credential.webhook.signature.scheme;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.key.internal.StandardWebhooksVerifyingKey;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;

/**
 * Standard Webhooks 1.0.0: {@code webhook-id}, {@code webhook-timestamp} and {@code webhook-signature}, which has the
 * signatures of {@code <id>.<timestamp>.<body>} with spaces between them. Keys are {@code whsec_} (v1) and {@code whpk_}
 * (v1a). Svix sends the same headers with the prefix {@code svix-}.
 */
final class StandardWebhooksScheme implements WebhookScheme {

    /** More than any key rotation needs; verifying one with a public key is slow. */
    private static final int MAX_SIGNATURES = 8;

    private static final String TYPE_MEMBER = "type";
    private static final Set<String> TYPE = Set.of(TYPE_MEMBER);

    @Override
    public String name() {
        return "standard-webhooks";
    }

    @Override
    public Verifier verifier(Map<String, SecretBytes> keys) {
        Map<String, StandardWebhooksVerifyingKey> verifying = new LinkedHashMap<>();
        keys.forEach((kid, key) -> verifying.put(kid, StandardWebhooksVerifyingKey.of(key)));
        return new Keys(verifying);
    }

    private record Keys(Map<String, StandardWebhooksVerifyingKey> byKid) implements Verifier {

        @Override
        public Presented examine(RequestHead head) {
            return StandardWebhooksScheme.examine(head, byKid);
        }

        @Override
        public boolean isCostly() {
            return byKid.values().stream().anyMatch(StandardWebhooksVerifyingKey::isPublic);
        }

        @Override
        public Map<String, KeyIdentity> keyIdentities() {
            Map<String, KeyIdentity> identities = new LinkedHashMap<>();
            byKid.forEach((kid, key) -> identities.put(kid, key.identity()));
            return identities;
        }
    }

    private static Presented examine(RequestHead head, Map<String, StandardWebhooksVerifyingKey> keys) {
        String prefix = head.lines("webhook-signature").isEmpty()
                        && !head.lines("svix-signature").isEmpty()
                ? "svix-"
                : "webhook-";
        String signatureHeader = prefix + "signature";
        List<Signature> signatures =
                signatures(head.required(signatureHeader, HeaderFields.MAX_SIGNATURES), signatureHeader);
        String id = head.optional(prefix + "id", WebhookClaims.MAX_LENGTH);
        if (id == null) {
            throw new WebhookException(WebhookErrorCode.MISSING_ID, "The request has no header " + prefix + "id");
        }
        if (id.indexOf('.') >= 0) { // bytes could move between the id, the timestamp and the body
            throw new WebhookException(
                    WebhookErrorCode.BAD_HEADER_FORMAT, "The header " + prefix + "id must not contain a dot");
        }
        long timestamp = HeaderFields.timestamp(head, prefix + "timestamp");
        byte[] signed = (id + "." + UnixSeconds.format(timestamp) + ".").getBytes(StandardCharsets.US_ASCII);
        return Presented.of(
                new WebhookClaims(id, null, timestamp, Set.of(Part.ID, Part.TIMESTAMP)),
                body -> match(keys, signatures, signed, body));
    }

    private static Match match(
            Map<String, StandardWebhooksVerifyingKey> keys, List<Signature> signatures, byte[] head, byte[] body) {
        for (Map.Entry<String, StandardWebhooksVerifyingKey> entry : keys.entrySet()) {
            StandardWebhooksVerifyingKey key = entry.getValue();
            Predicate<byte[]> matches = key.verifying(head, body);
            for (Signature candidate : signatures) {
                byte[] signature = candidate.forKey(key);
                if (signature != null && matches.test(signature)) {
                    String type = BodyClaims.texts(body, TYPE).get(TYPE_MEMBER);
                    return new Match(entry.getKey(), key.algorithm(), null, type);
                }
            }
        }
        throw new WebhookException(WebhookErrorCode.BAD_SIGNATURE, "The signature does not match");
    }

    /** Unknown versions may stand beside known ones, and are skipped. */
    private static List<Signature> signatures(String line, String header) {
        List<Signature> signatures = new ArrayList<>(2);
        for (String part : line.split(" ", MAX_SIGNATURES + 1)) {
            int comma = part.indexOf(',');
            if (comma > 0) {
                signatures.add(new Signature(part.substring(0, comma), part.substring(comma + 1)));
            }
        }
        if (signatures.isEmpty()) {
            throw HeaderFields.noSignature(header);
        }
        if (signatures.size() > MAX_SIGNATURES) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_HEADER_FORMAT,
                    "The header " + header + " has more than " + MAX_SIGNATURES + " signatures");
        }
        return signatures;
    }

    private record Signature(String version, String text) {

        byte @Nullable [] forKey(StandardWebhooksVerifyingKey key) {
            return version.equals(key.version()) ? Base64Text.decode(text, key.signatureBytes()) : null;
        }
    }
}
