package io.credential.spring.autoconfigure.apikeys;

import io.credential.apikey.ApiKey;

/** Is told of keys that are disabled as idle. Does not mention types of the dispatcher, whose library may be absent. */
@FunctionalInterface
interface IdleKeyListener {

    /** @param key in the transaction that disables it, which is rolled back if this throws */
    void disabled(ApiKey key);
}
