package io.credential.spring.security;

import org.springframework.security.authentication.BadCredentialsException;

/** Thrown if a combination of credentials is rejected, whether or not each is valid, or a credential is too long. */
final class RefusedCredentialsException extends BadCredentialsException {

    static final String AMBIGUOUS = "ambiguous";
    static final String TOO_LONG = "too-long";

    private static final long serialVersionUID = 1L;

    private final String reason;

    RefusedCredentialsException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns the reason for the audit trail, which is stable. */
    String reason() {
        return reason;
    }
}
