package io.credential.spring.autoconfigure.redis.internal;

import io.credential.webhook.replay.NonceStore;

/**
 * Creates the store of nonces in the application's Redis once a property selects it. Refers to no class of Redis, which may be
 * missing.
 */
@FunctionalInterface
public interface RedisNonces {

    /**
     * @param property where the store is configured
     * @throws io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException if Redis is missing
     */
    NonceStore create(String property);
}
