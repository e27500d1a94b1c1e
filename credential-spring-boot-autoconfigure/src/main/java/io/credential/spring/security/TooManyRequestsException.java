package io.credential.spring.security;

import java.time.Duration;

import org.springframework.security.core.AuthenticationException;

/**
 * Thrown if a request is rejected because of earlier ones: the key has reached its rate limit or its quota, or is rejected after too
 * many others.
 */
final class TooManyRequestsException extends AuthenticationException {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final Duration wait;

    private TooManyRequestsException(String code, String message, Duration wait) {
        super(message);
        this.code = code;
        this.wait = wait;
    }

    static TooManyRequestsException rateLimited(Duration wait) {
        return new TooManyRequestsException(
                ApiKeyAuthenticationEntryPoint.RATE_LIMITED, "The API key has reached its rate limit", wait);
    }

    static TooManyRequestsException quotaExceeded(Duration wait) {
        return new TooManyRequestsException(
                ApiKeyAuthenticationEntryPoint.QUOTA_EXCEEDED, "The API key has reached its quota", wait);
    }

    static TooManyRequestsException tooManyFailures(Duration wait) {
        return new TooManyRequestsException(
                ApiKeyAuthenticationEntryPoint.TOO_MANY_FAILURES,
                "Too many API keys were rejected for this client or key",
                wait);
    }

    /** Returns the stable code of the response. */
    String code() {
        return code;
    }

    /** Returns the reason for the audit trail, which is stable. */
    String reason() {
        return code.substring(code.indexOf('/') + 1);
    }

    /** Returns how long the caller must wait, in whole seconds, at least one. */
    long waitSeconds() {
        return Math.max(1, RequestLimits.seconds(wait));
    }
}
