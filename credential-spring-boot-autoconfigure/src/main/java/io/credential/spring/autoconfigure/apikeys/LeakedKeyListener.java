package io.credential.spring.autoconfigure.apikeys;

import java.util.List;

import io.credential.apikey.leak.internal.LeakedKey;

/** Is told of leaked keys. Does not mention types of the dispatcher, whose library may be absent. */
@FunctionalInterface
interface LeakedKeyListener {

    /** @param leaked after the keys were changed; may be told again, if a report is repeated */
    void leaked(List<LeakedKey> leaked);
}
