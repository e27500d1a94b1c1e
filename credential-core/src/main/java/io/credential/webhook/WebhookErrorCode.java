package io.credential.webhook;

/**
 * Why a webhook was refused or not sent, or a signer or verifier not built.
 *
 * @since 0.1.0
 */
public enum WebhookErrorCode {
    /** The request has no signature header. */
    MISSING_HEADER("webhook/missing-header"),
    /** The signature header cannot be parsed, is there twice, or holds an id or kid that is not allowed. */
    BAD_HEADER_FORMAT("webhook/bad-header-format"),
    /** The signature header has no id. */
    MISSING_ID("webhook/missing-id"),
    /** The signature header has no timestamp. */
    MISSING_TIMESTAMP("webhook/missing-timestamp"),
    /** The signature header has no signature. */
    MISSING_SIGNATURE("webhook/missing-signature"),
    /** The timestamp is not a whole number of unix seconds in canonical decimal. */
    BAD_TIMESTAMP("webhook/bad-timestamp"),
    /** A processor-style header is missing, too long, or has no usable timestamp or signature. */
    BAD_STRIPE_HEADER("webhook/bad-stripe-header"),
    /** The raw body is absent. */
    BAD_BODY("webhook/bad-body"),
    /** The timestamp of a processor-style header is further from now than the tolerance. */
    STALE_TIMESTAMP("webhook/stale-timestamp"),
    /** The timestamp is older than the tolerance. */
    EXPIRED("webhook/expired"),
    /** The timestamp is further ahead than the clock skew allows. */
    FUTURE("webhook/future"),
    /** A request with this id, or this processor signature, was accepted before. */
    REPLAY("webhook/replay"),
    /** None of the kids in the header is configured. */
    UNKNOWN_KID("webhook/unknown-kid"),
    /** No signature matches. */
    BAD_SIGNATURE("webhook/bad-signature"),

    /** A required option is missing. */
    BAD_OPTS("webhook/bad-opts"),
    /** An option is unknown, out of its range, or not valid for the algorithm. */
    BAD_OPT("webhook/bad-opt"),
    /** A secret or key is missing, empty or malformed. */
    BAD_SECRET("webhook/bad-secret"),
    /** The algorithm, or that of a key, is not implemented or not the one asked for. */
    BAD_ALG("webhook/bad-alg"),
    /** The tolerance is not positive, or not in the range of the scheme. */
    BAD_TOLERANCE("webhook/bad-tolerance"),
    /** The nonce store is null or unknown. */
    BAD_NONCE_STORE("webhook/bad-nonce-store"),

    /** A URL to which webhooks may not be sent. */
    UNSAFE_DESTINATION("webhook/unsafe-destination"),
    /** A webhook was not accepted by its receiver, however often it was sent. */
    SEND_FAILED("webhook/send-failed");

    private static final String HEAD = "webhook/";

    private final String text;

    WebhookErrorCode(String text) {
        this.text = text;
    }

    /** The stable code as it is written, for example {@code webhook/replay}. */
    public String text() {
        return text;
    }

    /** The code as the reason of an audit event, for example {@code replay}. */
    public String reason() {
        return text.substring(HEAD.length());
    }
}
