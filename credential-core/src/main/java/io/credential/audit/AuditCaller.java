package io.credential.audit;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Supplies who is acting on the calling thread, or null if unknown, and where the request came from; must be
 * thread-safe.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface AuditCaller extends Supplier<@Nullable String> {

    /** Returns where the request of the calling thread came from; by default {@link AuditOrigin#UNKNOWN}. */
    default AuditOrigin origin() {
        return AuditOrigin.UNKNOWN;
    }
}
