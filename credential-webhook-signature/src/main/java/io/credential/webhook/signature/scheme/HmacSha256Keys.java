package io.credential.webhook.signature.scheme;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.internal.HmacSha256Key;
import io.credential.webhook.signature.scheme.WebhookScheme.Match;
import io.credential.webhook.signature.scheme.WebhookScheme.Presented;

/** The keys of a sender that signs with HMAC-SHA-256. Thread-safe. */
final class HmacSha256Keys {

    private static final String ALGORITHM = "hmac-sha256";

    private final Map<String, HmacSha256Key> keys = new LinkedHashMap<>();

    /** @param keys the bytes of each are the key */
    HmacSha256Keys(Map<String, SecretBytes> keys) {
        keys.forEach((kid, key) -> this.keys.put(kid, new HmacSha256Key(key)));
    }

    /**
     * Returns a request whose signature covers a head and the body.
     *
     * @param head what is signed before the body
     * @param signatures any of which may match
     */
    Presented presented(WebhookClaims claims, String head, List<byte[]> signatures) {
        return presented(claims, head, signatures, body -> BodyClaims.NONE);
    }

    /** @param reader reads a body whose signature has been verified */
    Presented presented(
            WebhookClaims claims, String head, List<byte[]> signatures, Function<byte[], BodyClaims> reader) {
        byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
        return Presented.of(claims, body -> {
            String kid = matching(bytes, body, signatures);
            BodyClaims inBody = reader.apply(body);
            return new Match(kid, ALGORITHM, inBody.id(), inBody.type());
        });
    }

    private String matching(byte[] head, byte[] body, List<byte[]> signatures) {
        for (Map.Entry<String, HmacSha256Key> entry : keys.entrySet()) {
            byte[] expected = entry.getValue().compute(head, body);
            for (byte[] signature : signatures) {
                if (MessageDigest.isEqual(expected, signature)) {
                    return entry.getKey();
                }
            }
        }
        throw new WebhookException(WebhookErrorCode.BAD_SIGNATURE, "The signature does not match");
    }
}
