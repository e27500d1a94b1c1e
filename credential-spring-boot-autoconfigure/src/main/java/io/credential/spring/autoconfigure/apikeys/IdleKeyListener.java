package io.credential.spring.autoconfigure.apikeys;

import io.credential.apikey.ApiKey;

/** Is told of keys that are disabled as idle. Does not mention types of the dispatcher, whose library may be absent. */
@FunctionalInterface
interface IdleKeyListener {

    /**
     * Is called before a key is disabled.
     *
     * @return what is run in the transaction that disables the key, which is rolled back if this throws
     */
    Runnable idle(ApiKey key);
}
