package io.credential.webhook.signature;

import java.time.InstantSource;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditSink;
import io.credential.audit.AuditTrail;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/** The options that signers and verifiers share, as their builders collect them. Not thread-safe. */
final class SignatureOptions {

    static final String DEFAULT_NAME = "default";
    static final String DEFAULT_HEADER = "Webhook-Signature";

    /** A field name of HTTP (RFC 9110). */
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

    String name = DEFAULT_NAME;

    @Nullable String algorithm;

    @Nullable String pqcAlgorithm;

    String signatureHeader = DEFAULT_HEADER;
    AuditSink audit = AuditSink.none();
    boolean auditSuccess = true;
    boolean auditFailures = true;

    /**
     * @throws WebhookException {@code webhook/bad-opts} or {@code webhook/bad-alg}
     */
    SignatureAlgorithm requireAlgorithm() {
        return SignatureAlgorithm.of(algorithm);
    }

    /**
     * What post-quantum keys are accepted under the algorithm.
     *
     * @throws WebhookException {@code webhook/bad-opt} or {@code webhook/bad-alg}
     */
    PqcKeys pqcKeys(SignatureAlgorithm chosen) {
        if (pqcAlgorithm == null) {
            return new PqcKeys(null);
        }
        if (chosen != SignatureAlgorithm.PQC_PEM) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT, "pqcAlgorithm is an option of pqc-pem, not of " + chosen.text());
        }
        return new PqcKeys(PqcAlgorithm.of(pqcAlgorithm));
    }

    /**
     * @throws WebhookException {@code webhook/bad-opt} when it is no name of a header, or of one that is not free
     */
    String requireSignatureHeader() {
        if (!HEADER_NAME.matcher(signatureHeader).matches()) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "signatureHeader must be the name of an HTTP header, 1 to 128 letters, digits and hyphens");
        }
        if (WebhookSending.isTaken(signatureHeader)) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "signatureHeader must not be '" + signatureHeader
                            + "': requests carry something else under that name, and the signature would be lost");
        }
        return signatureHeader;
    }

    AuditTrail auditTrail(InstantSource clock) {
        return new AuditTrail(audit, () -> null, clock, "webhook", auditSuccess, auditFailures);
    }

    static WebhookException missingKeys() {
        return new WebhookException(WebhookErrorCode.BAD_OPTS, "At least one key is required");
    }

    static WebhookException duplicateKid(String kid) {
        return new WebhookException(WebhookErrorCode.BAD_OPT, "Two keys have the kid '" + kid + "'");
    }
}
