package io.credential.spring.autoconfigure.apikeys;

import io.credential.apikey.ApiKey;

/**
 * Notified of keys that are about to be disabled as idle. Does not mention types of the dispatcher, whose library may
 * be absent.
 */
@FunctionalInterface
interface IdleKeyListener {

    /**
     * Called before a key is disabled.
     *
     * @return an action to run in the transaction that disables the key, which is rolled back if this throws
     */
    Runnable idle(ApiKey key);
}
