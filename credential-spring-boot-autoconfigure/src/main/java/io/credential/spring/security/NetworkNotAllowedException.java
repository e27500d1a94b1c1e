package io.credential.spring.security;

import org.springframework.security.core.AuthenticationException;

/** Thrown if a valid key was sent from a network that the key does not allow. It may have been stolen. */
final class NetworkNotAllowedException extends AuthenticationException {

    /** The stable reason in logs and the audit trail. */
    static final String REASON = "network";

    private static final long serialVersionUID = 1L;

    /** The message is for the operator. */
    NetworkNotAllowedException() {
        super("An API key was sent from a network that it does not allow; if the address is that of a proxy, set"
                + " server.forward-headers-strategy");
    }
}
