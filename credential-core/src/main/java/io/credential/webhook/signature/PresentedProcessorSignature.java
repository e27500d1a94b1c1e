package io.credential.webhook.signature;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookException;

/**
 * A processor-style header that passed every check that needs no body. It does not prove anything yet: anyone can write such a
 * header. Thread-safe.
 *
 * @since 0.1.0
 */
public final class PresentedProcessorSignature {

    private final ProcessorSignature signature;
    private final ProcessorHeader header;
    private final Verification verification;

    PresentedProcessorSignature(ProcessorSignature signature, ProcessorHeader header, Verification verification) {
        this.signature = signature;
        this.header = header;
        this.verification = verification;
    }

    /**
     * Makes the checks that are left: the tolerance once more, the signature, and the nonce store.
     *
     * @param body the bytes as they were received
     * @throws WebhookException with the code of the first check that failed
     * @throws RuntimeException if the nonce store fails
     */
    public ProcessorVerification verify(byte @Nullable [] body) throws WebhookException {
        ProcessorVerification verified = verification.audited(() -> signature.complete(header, body));
        verification.succeeded(
                null, Map.of("algorithm", ProcessorSignature.ALGORITHM, "timestamp", verified.timestamp()));
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
        return "PresentedProcessorSignature[" + header.timestamp() + "]";
    }
}
