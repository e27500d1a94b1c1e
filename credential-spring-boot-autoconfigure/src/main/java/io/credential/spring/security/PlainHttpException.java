package io.credential.spring.security;

import org.springframework.security.core.AuthenticationException;

/** Thrown if a valid key was sent over plain HTTP. Others may have read it. */
final class PlainHttpException extends AuthenticationException {

    /** The stable reason in logs. */
    static final String REASON = "plain-http";

    private static final long serialVersionUID = 1L;

    /** The message is for the operator. */
    PlainHttpException() {
        super("An API key was sent over plain HTTP; replace it, or if a proxy received it over HTTPS, set"
                + " server.forward-headers-strategy");
    }
}
