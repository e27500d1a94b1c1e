package io.credential.spring.security;

import org.springframework.security.authentication.BadCredentialsException;

/** A request whose credentials are refused for what they are together, whether or not each is valid. */
final class RefusedCredentialsException extends BadCredentialsException {

    static final String AMBIGUOUS = "ambiguous";
    static final String TOO_LONG = "too-long";

    private static final long serialVersionUID = 1L;

    private final String reason;

    RefusedCredentialsException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** A stable word for the audit trail. */
    String reason() {
        return reason;
    }
}
