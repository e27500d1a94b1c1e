package io.credential.webhook.delivery;

/**
 * Why an operation of the dispatcher was rejected.
 *
 * @since 0.1.0
 */
public enum WebhookDispatcherErrorCode {
    /** An option or argument is missing or out of range. */
    BAD_OPTS("webhook-dispatcher/bad-opts"),
    /** The event names no audience, but would reach an endpoint that has one. */
    AUDIENCE_REQUIRED("webhook-dispatcher/audience-required"),
    /** Webhooks may not be sent to this URL. */
    UNSAFE_DESTINATION("webhook-dispatcher/unsafe-destination"),
    /** The host of the URL could not be resolved; reported only if internal destinations are allowed. */
    UNRESOLVABLE_DESTINATION("webhook-dispatcher/unresolvable-destination"),
    /** The id is taken by an endpoint that the registration must not replace, or the endpoint was changed concurrently. */
    ENDPOINT_CONFLICT("webhook-dispatcher/endpoint-conflict"),
    /** No delivery, dead delivery, endpoint or job has this id. */
    NOT_FOUND("webhook-dispatcher/not-found"),
    /** The delivery is being attempted. */
    IN_FLIGHT("webhook-dispatcher/in-flight"),
    /** The payload of the delivery was erased, so that it cannot be sent again. */
    PAYLOAD_ERASED("webhook-dispatcher/payload-erased"),
    /** The payload is longer than allowed. */
    PAYLOAD_TOO_LARGE("webhook-dispatcher/payload-too-large"),
    /** The event cannot be stored in the active transaction. */
    FOREIGN_TRANSACTION("webhook-dispatcher/foreign-transaction"),
    /** The idempotency key was used for another event. */
    IDEMPOTENCY_CONFLICT("webhook-dispatcher/idempotency-conflict"),
    /** The secret of an endpoint cannot be opened. */
    UNREADABLE_SECRET("webhook-dispatcher/unreadable-secret"),
    /** Secrets in the plain form were found, and plain-form migration is not allowed. */
    RESEAL_WINDOW_CLOSED("webhook-dispatcher/reseal-window-closed"),
    /**
     * The database rejected a statement or the login, its disk is full, or its tables are not those of this version; a
     * retry does not help. Only Actuator endpoints report it.
     */
    DATABASE_ERROR("webhook-dispatcher/database-error"),
    /** The dispatcher was not created, or its database does not answer. Only Actuator endpoints report it. */
    UNAVAILABLE("webhook-dispatcher/unavailable");

    private final String text;

    WebhookDispatcherErrorCode(String text) {
        this.text = text;
    }

    /** Returns the stable code, for example {@code webhook-dispatcher/not-found}. */
    public String text() {
        return text;
    }
}
