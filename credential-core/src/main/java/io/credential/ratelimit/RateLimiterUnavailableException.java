package io.credential.ratelimit;

import io.credential.storage.DatabaseFault;

/**
 * The store of the limits did not answer, so that nothing was decided. A request may have been counted nevertheless.
 * A retry can succeed unless {@link DatabaseFault#of} returns a permanent fault.
 *
 * @since 0.1.0
 */
public final class RateLimiterUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RateLimiterUnavailableException(Throwable cause) {
        super(
                "The rate limit store is not available; "
                        + DatabaseFault.of(cause).map(DatabaseFault::message).orElse("retry later"),
                cause);
    }
}
