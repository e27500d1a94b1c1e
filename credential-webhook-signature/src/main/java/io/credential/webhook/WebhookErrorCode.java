package io.credential.webhook;

/**
 * Why a webhook was refused or not sent, or a signer or verifier not built.
 *
 * @since 0.1.0
 */
public enum WebhookErrorCode {
    /** The request has no signature header; for processors, also: it has more than one. */
    MISSING_HEADER("webhook/missing-header"),
    /** The signature header cannot be parsed, is repeated, or has an id or kid that is not allowed. */
    BAD_HEADER_FORMAT("webhook/bad-header-format"),
    /** The signature header has no id. */
    MISSING_ID("webhook/missing-id"),
    /** The signature header has no timestamp. */
    MISSING_TIMESTAMP("webhook/missing-timestamp"),
    /** The signature header has no signature. */
    MISSING_SIGNATURE("webhook/missing-signature"),
    /** The timestamp is not a whole number of Unix seconds in canonical decimal. */
    BAD_TIMESTAMP("webhook/bad-timestamp"),
    /** A processor-style header is too long, or has no usable timestamp or signature. */
    BAD_STRIPE_HEADER("webhook/bad-stripe-header"),
    /** The raw body is absent. */
    BAD_BODY("webhook/bad-body"),
    /** The difference between the timestamp of a processor-style header and now is greater than the tolerance. */
    STALE_TIMESTAMP("webhook/stale-timestamp"),
    /** The timestamp is older than the tolerance. */
    EXPIRED("webhook/expired"),
    /** The timestamp is further in the future than the clock skew allows. */
    FUTURE("webhook/future"),
    /** A request with this id, or this processor signature, was accepted before. */
    REPLAY("webhook/replay"),
    /** None of the kids in the header is configured. */
    UNKNOWN_KID("webhook/unknown-kid"),
    /** No signature matches. */
    BAD_SIGNATURE("webhook/bad-signature"),

    /** A required option is missing. */
    BAD_OPTS("webhook/bad-opts"),
    /** An option is unknown, out of range, or not valid for the algorithm. */
    BAD_OPT("webhook/bad-opt"),
    /** A secret or key is missing, empty or malformed. */
    BAD_SECRET("webhook/bad-secret"),
    /** The algorithm, or that of a key, is not supported or not the configured one. */
    BAD_ALG("webhook/bad-alg"),
    /** The tolerance is not positive, or out of range for the scheme. */
    BAD_TOLERANCE("webhook/bad-tolerance"),
    /** The nonce store is null or unknown. */
    BAD_NONCE_STORE("webhook/bad-nonce-store"),

    /** Webhooks may not be sent to the URL. */
    UNSAFE_DESTINATION("webhook/unsafe-destination"),
    /** The host of the URL could not be resolved; reported only if internal destinations are allowed. */
    UNRESOLVABLE_DESTINATION("webhook/unresolvable-destination"),
    /** The receiver did not accept the webhook in any attempt. */
    SEND_FAILED("webhook/send-failed");

    private static final String PREFIX = "webhook/";

    private final String text;

    WebhookErrorCode(String text) {
        this.text = text;
    }

    /** Returns the stable code, for example {@code webhook/replay}. */
    public String text() {
        return text;
    }

    /** Returns the code as the reason of an audit event, for example {@code replay}. */
    public String reason() {
        return text.substring(PREFIX.length());
    }
}
