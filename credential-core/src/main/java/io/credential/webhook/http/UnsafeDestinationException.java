package io.credential.webhook.http;

import org.jspecify.annotations.Nullable;

/**
 * A URL that webhooks may not be sent to. The message names the host and what is wrong with it, and never an address
 * that was learned from DNS: it may be shown to the one who entered the URL.
 *
 * @since 0.1.0
 */
public final class UnsafeDestinationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    UnsafeDestinationException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    UnsafeDestinationException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    /** The stable code, {@code webhook/unsafe-destination}. */
    public String code() {
        return "webhook/unsafe-destination";
    }

    /** What the refusal is about. */
    public Reason reason() {
        return reason;
    }

    /**
     * Whether the same URL would be refused again whatever DNS answers.
     *
     * @return false if another DNS answer could make the destination acceptable, so that trying later makes sense
     */
    public boolean permanent() {
        return reason.permanent;
    }

    /** What a refusal is about. */
    public enum Reason {
        /** The URL cannot be used: its form, its host, its port, or user information in it. */
        MALFORMED_URL(true),
        /** The protocol is not among the allowed ones. */
        PROTOCOL(true),
        /** The host is an address, and that address is forbidden. */
        FORBIDDEN_ADDRESS(true),
        /** The host is a name, and at least one address in the DNS answer is forbidden. */
        FORBIDDEN_ANSWER(false),
        /** The host is a name for which DNS gave no address, or not in time. */
        NO_ANSWER(false);

        private final boolean permanent;

        Reason(boolean permanent) {
            this.permanent = permanent;
        }
    }
}
