package io.credential.spring.autoconfigure.redis;

import io.credential.ratelimit.BucketStore;
import io.credential.webhook.replay.NonceStore;

/**
 * The stores in the application's Redis. Refers to no class of Redis, which may be missing.
 *
 * @since 0.1.0
 */
public record RedisStores(NonceStore nonces, BucketStore buckets) {

    /** Creates the stores once a property selects them. */
    @FunctionalInterface
    public interface Factory {

        /**
         * @param property where a store is configured
         * @throws io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException if Redis is missing
         */
        RedisStores create(String property);
    }
}
