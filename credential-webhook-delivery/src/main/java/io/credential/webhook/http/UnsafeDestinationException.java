package io.credential.webhook.http;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;

/**
 * Thrown when webhooks may not be sent to a URL. The message may be shown to the user who entered the URL: it says what
 * is wrong with the text of the URL, and is the same for every refusal that depends on DNS, addresses or the network,
 * since a difference would reveal the internal network. Only if internal destinations are allowed, an unresolved host
 * has a message and a code of its own. The {@link #detail() detail} is for the operator; {@link DestinationPolicy} logs
 * it at DEBUG.
 *
 * @since 0.1.0
 */
public final class UnsafeDestinationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String detail;
    private final boolean unresolvable;

    /** Creates a refusal because of the text of the URL. */
    UnsafeDestinationException(Reason reason, String message) {
        super(message);
        this.reason = reason;
        this.detail = message;
        this.unresolvable = false;
    }

    private UnsafeDestinationException(String message, String detail, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = Reason.NO_ANSWER;
        this.detail = detail;
        this.unresolvable = true;
    }

    /** Returns a refusal that says that the host was not resolved. */
    static UnsafeDestinationException unresolvable(String host, String detail, @Nullable Throwable cause) {
        return new UnsafeDestinationException(
                "The host " + host + " could not be resolved; check its name and the name server, or try again later",
                detail,
                cause);
    }

    /** Creates a refusal because of the addresses of the host. */
    UnsafeDestinationException(Reason reason, String host, String detail, @Nullable Throwable cause) {
        super(
                "Webhooks may not be sent to the host " + host
                        + ": it must resolve to public addresses, or to addresses that the operator has allowed with"
                        + " 'credential.webhook.dispatcher.allowed-cidrs' or 'allow-internal-destinations'",
                cause);
        this.reason = reason;
        this.detail = detail;
        this.unresolvable = false;
    }

    /** Returns the stable code, {@code webhook/unsafe-destination} or {@code webhook/unresolvable-destination}. */
    public String code() {
        return errorCode().text();
    }

    /** Returns {@link #code()} as a constant. */
    public WebhookErrorCode errorCode() {
        return unresolvable ? WebhookErrorCode.UNRESOLVABLE_DESTINATION : WebhookErrorCode.UNSAFE_DESTINATION;
    }

    /** Returns what exactly was refused. For the operator only: it may name internal addresses. */
    public String detail() {
        return detail;
    }

    /** Returns the kind of refusal. Do not show it to the user who entered the URL. */
    public Reason reason() {
        return reason;
    }

    /**
     * Returns whether the URL is refused regardless of DNS.
     *
     * @return false if another DNS answer could make the destination acceptable, so that a retry makes sense
     */
    public boolean permanent() {
        return reason.permanent;
    }

    /** The kind of a refusal. */
    public enum Reason {
        /** The URL is malformed, or has an invalid host, an invalid port or user information. */
        MALFORMED_URL(true, FailureReason.URL_MALFORMED),
        /** The protocol is not among the allowed ones. */
        PROTOCOL(true, FailureReason.DESTINATION_FORBIDDEN),
        /** The host is an address, and that address is forbidden. */
        FORBIDDEN_ADDRESS(true, FailureReason.DESTINATION_FORBIDDEN),
        /** The host is a name, and at least one address in the DNS answer is forbidden. */
        FORBIDDEN_ANSWER(false, FailureReason.DESTINATION_FORBIDDEN),
        /** The host is a name that DNS did not resolve, or not in time. */
        NO_ANSWER(false, FailureReason.DNS_FAILED);

        private final boolean permanent;
        private final FailureReason failure;

        Reason(boolean permanent, FailureReason failure) {
            this.permanent = permanent;
            this.failure = failure;
        }

        /** Returns the reason of an attempt that fails with this exception. */
        public FailureReason failure() {
            return failure;
        }
    }
}
