package io.credential.spring.autoconfigure.webhook;

import io.credential.webhook.replay.NonceStore;

/** Makes nonce stores in Redis. Names no class of Redis, which may not be there. */
@FunctionalInterface
interface RedisNonces {

    /**
     * @param property where the store is asked for
     * @throws io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException when there is no Redis
     */
    NonceStore store(String property);
}
