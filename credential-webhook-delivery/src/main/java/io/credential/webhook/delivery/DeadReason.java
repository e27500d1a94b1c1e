package io.credential.webhook.delivery;

/**
 * Why a delivery is dead: the reason in the audit event {@code webhook.delivery.dead}. The texts are stable.
 *
 * @since 0.1.0
 */
public enum DeadReason {
    /** The last of the allowed attempts failed. */
    ATTEMPTS_EXHAUSTED("attempts-exhausted"),
    /** The endpoint URL is malformed, or webhooks may never be sent to it, whatever DNS returns. */
    UNSAFE_DESTINATION("unsafe-destination"),
    /** The endpoint was removed before the delivery was accepted. */
    ENDPOINT_REMOVED("endpoint-removed"),
    /** The endpoint has another audience than at dispatch. */
    AUDIENCE_CHANGED("audience-changed"),
    /** The sealed secret of the endpoint was changed, or belongs to another id, URL or audience. */
    INTEGRITY("integrity"),
    /** The node that made the last of the allowed attempts did not store its outcome. */
    LEASE_EXPIRED("lease-expired"),
    /** The payload is not JSON, which {@link PayloadFormat#ENVELOPE} requires. */
    PAYLOAD_NOT_JSON("payload-not-json"),
    /** The payload was erased before the delivery was accepted. */
    PAYLOAD_ERASED("payload-erased");

    private final String text;

    DeadReason(String text) {
        this.text = text;
    }

    /** Returns the stable text, for example {@code attempts-exhausted}. */
    public String text() {
        return text;
    }
}
