package io.credential.webhook.signature;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookException;

/**
 * A signature header that passed every check that needs no body. It does not prove anything yet: anyone can write such
 * a header.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class PresentedSignature {

    private final WebhookVerifier verifier;
    private final SignatureHeader header;
    private final Map<String, String> signatures;
    private final Verification verification;

    PresentedSignature(
            WebhookVerifier verifier,
            SignatureHeader header,
            Map<String, String> signatures,
            Verification verification) {
        this.verifier = verifier;
        this.header = header;
        this.signatures = signatures;
        this.verification = verification;
    }

    /**
     * Makes the checks that are left: the time window once more, the signature, and the nonce store.
     *
     * @param body the bytes as they were received
     * @throws WebhookException with the code of the first check that failed
     * @throws RuntimeException if the nonce store fails
     */
    public VerifiedWebhook verify(byte @Nullable [] body) throws WebhookException {
        VerifiedWebhook verified = verification.audited(() -> verifier.complete(header, signatures, body));
        verification.succeeded(
                verified.id(),
                Map.of("algorithm", verified.algorithm(), "kid", verified.kid(), "timestamp", verified.timestamp()));
        return verified;
    }

    /**
     * Reports, as a failed verification, that the checks which are left will not be made.
     *
     * @param reason for the audit trail, a short word such as {@code unreadable-body}
     */
    public void abandon(String reason) {
        verification.abandoned(reason);
    }

    @Override
    public String toString() {
        return "PresentedSignature[kids " + signatures.keySet() + "]";
    }
}
