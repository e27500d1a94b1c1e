package io.credential.spring.autoconfigure.redis.internal;

import io.credential.ratelimit.BucketStore;

/**
 * Creates the store of counts of rate limits in the application's Redis once a property selects it. Refers to no class of Redis, which may be
 * missing.
 */
@FunctionalInterface
public interface RedisBuckets {

    /**
     * @param property where the store is configured
     * @throws io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException if Redis is missing
     */
    BucketStore create(String property);
}
