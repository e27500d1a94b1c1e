package io.credential.spring.security.internal;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.usage.RejectionCause;
import io.credential.apikey.internal.usage.UsageRecorder;
import io.credential.audit.AuditSink;
import io.credential.ratelimit.RateLimiter;
import io.credential.ratelimit.internal.FailedAttempts;
import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.ApiKeyRateLimits;

/**
 * The settings for keys in requests; the defaults of every {@link ApiKeyConfigurer}.
 *
 * @param sources where a chain expects keys by default
 * @param ticketParameter the query parameter of tickets in a chain that accepts them
 * @param accept the namespaces whose keys a chain accepts by default; empty if there is only one registry
 * @param configured the namespaces of the configured registries
 * @param unaudited the namespaces whose registries do not audit failures
 * @param requireHttps whether keys that were sent over plain HTTP are refused, except those from the same machine
 * @param scopeWildcards whether wildcards among the scopes of keys stand for others
 * @param clock provides the time of an authentication
 * @param auditSink takes the audit events of requests
 * @param rateLimiter supplies what counts requests against the rate limits of keys in all chains, if there is no bean
 *     of type {@link ApiKeyRateLimits}; always the same
 * @param failedAttempts counts rejected keys; null if they are not limited
 * @param usage counts rejected requests of verified keys
 * @param countReports takes reports of rejections that were only counted; each runs periodically
 */
public record ApiKeySecuritySettings(
        KeySources sources,
        String ticketParameter,
        List<String> accept,
        Set<String> configured,
        Set<String> unaudited,
        boolean requireHttps,
        boolean scopeWildcards,
        InstantSource clock,
        AuditSink auditSink,
        Supplier<RateLimiter> rateLimiter,
        @Nullable FailedAttempts failedAttempts,
        UsageRecorder usage,
        Consumer<Runnable> countReports) {

    public ApiKeySecuritySettings {
        accept = List.copyOf(accept);
        configured = Set.copyOf(configured);
        unaudited = Set.copyOf(unaudited);
    }

    /** Returns what counts a request that is rejected because its key lacks a scope, given its namespace and id. */
    public BiConsumer<String, String> scopeUsage() {
        return (namespace, id) -> usage.rejected(namespace, id, RejectionCause.SCOPE);
    }
}
