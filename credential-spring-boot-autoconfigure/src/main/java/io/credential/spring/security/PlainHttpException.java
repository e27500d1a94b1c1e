package io.credential.spring.security;

import org.springframework.security.core.AuthenticationException;

/** Thrown if a valid key or ticket was sent over plain HTTP. Others may have read it. */
final class PlainHttpException extends AuthenticationException {

    /** The stable reason in logs. */
    static final String REASON = "plain-http";

    private static final long serialVersionUID = 1L;

    private final boolean isTicket;

    /** The message is for the operator. */
    PlainHttpException(boolean isTicket) {
        super((isTicket
                        ? "A ticket was sent over plain HTTP; if"
                        : "An API key was sent over plain HTTP; replace it, or if")
                + " a proxy received it over HTTPS, set server.forward-headers-strategy");
        this.isTicket = isTicket;
    }

    /** Returns whether a ticket was sent, which cannot be used again, so that the key need not be replaced. */
    boolean isTicket() {
        return isTicket;
    }
}
