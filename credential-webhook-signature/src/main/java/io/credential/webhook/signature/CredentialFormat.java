package io.credential.webhook.signature;

import java.util.Map;
import java.util.Set;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.key.internal.VerifyingKey;
import io.credential.webhook.signature.scheme.RequestHead;
import io.credential.webhook.signature.scheme.WebhookClaims;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;
import io.credential.webhook.signature.scheme.WebhookScheme.Match;
import io.credential.webhook.signature.scheme.WebhookScheme.Presented;
import io.credential.webhook.signature.scheme.WebhookScheme.Verifier;

/**
 * This library's own format, with the keys of one sender. Thread-safe.
 *
 * @param keys by kid
 * @param signatureHeader the name of the header
 */
record CredentialFormat(SignatureAlgorithm algorithm, Map<String, VerifyingKey> keys, String signatureHeader)
        implements Verifier {

    @Override
    public Presented examine(RequestHead head) {
        int maxLength = algorithm.maxHeaderLength();
        return new Examined(this, SignatureHeader.parse(head.required(signatureHeader, maxLength), maxLength));
    }

    private record Examined(CredentialFormat format, SignatureHeader header) implements Presented {

        @Override
        public WebhookClaims claims() {
            return new WebhookClaims(header.id(), null, header.timestamp(), Set.of(Part.ID, Part.TIMESTAMP));
        }

        @Override
        public void requireKnownKey() {
            for (String kid : header.signatures().keySet()) {
                if (format.keys.containsKey(kid)) {
                    return;
                }
            }
            throw new WebhookException(
                    WebhookErrorCode.UNKNOWN_KID, "The signature header has no kid that is configured here");
        }

        /** Returns the first valid signature, in the order of the header. */
        @Override
        public Match verify(byte[] body) {
            String timestamp = UnixSeconds.format(header.timestamp());
            SignatureAlgorithm algorithm = format.algorithm;
            for (Map.Entry<String, String> entry : header.signatures().entrySet()) {
                String kid = entry.getKey();
                VerifyingKey key = format.keys.get(kid);
                if (key != null
                        && key.verify(algorithm.signedHead(kid, timestamp, header.id()), body, entry.getValue())) {
                    return new Match(kid, algorithm.text());
                }
            }
            throw new WebhookException(WebhookErrorCode.BAD_SIGNATURE, "The signature does not match");
        }
    }
}
