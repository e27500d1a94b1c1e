package io.credential.spring.security;

import java.util.Optional;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.QuotaDecision;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.RateLimiter;

/**
 * Counts uses of API keys against their rate limits and quotas: those of the key, or else those of its registry. Requests that Spring
 * Security authenticates by a key are counted already; for programs that call {@code ApiKeyRegistry.verify} themselves.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class ApiKeyRateLimits {

    private final RateLimiter limiter;
    private final ApiKeyRegistries registries;

    public ApiKeyRateLimits(RateLimiter limiter, ApiKeyRegistries registries) {
        this.limiter = limiter;
        this.registries = registries;
    }

    /**
     * Counts a use of a verified key, if its limit permits it.
     *
     * @return the decision, or empty if the key is not limited
     * @throws io.credential.ratelimit.RateLimiterUnavailableException if the store of the limits does not answer
     */
    public Optional<RateLimitDecision> tryAcquire(ApiKey key) {
        return limit(key).map(limit -> limiter.tryAcquire(name(key.namespace(), key.id()), limit));
    }

    /**
     * Counts a use of a verified key, if its quota permits it. To be called after {@link #tryAcquire} has permitted it, so that
     * a use that the rate limit refuses does not count.
     *
     * @return the decision, or empty if the key has no quota
     * @throws io.credential.ratelimit.RateLimiterUnavailableException if the store of the limits does not answer
     */
    public Optional<QuotaDecision> tryAcquireQuota(ApiKey key) {
        return quota(key).map(quota -> limiter.tryAcquire(name(key.namespace(), key.id()), quota));
    }

    /** Identifies a key among those of all registries. */
    static String name(String namespace, String id) {
        return namespace + "/" + id;
    }

    private Optional<RateLimit> limit(ApiKey key) {
        return Optional.ofNullable(key.rateLimit()).or(() -> registry(key).flatMap(ApiKeyRegistry::rateLimit));
    }

    private Optional<Quota> quota(ApiKey key) {
        return Optional.ofNullable(key.quota()).or(() -> registry(key).flatMap(ApiKeyRegistry::quota));
    }

    /** A test that mocks the registries may verify keys of a namespace that it does not return. */
    private Optional<ApiKeyRegistry> registry(ApiKey key) {
        return Optional.ofNullable(registries.get(key.namespace()));
    }
}
