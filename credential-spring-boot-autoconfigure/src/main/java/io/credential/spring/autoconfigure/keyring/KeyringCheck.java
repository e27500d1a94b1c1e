package io.credential.spring.autoconfigure.keyring;

import io.credential.keyring.KeyringGuard;
import io.credential.seal.Keyring;

/** The keyring in use is the one that the database was sealed with. What needs the keyring depends on this bean. */
final class KeyringCheck {

    private KeyringCheck() {}

    /**
     * Checks a keyring that the application brings along.
     *
     * @throws io.credential.storage.KeyringException if it is not that of the database
     */
    static KeyringCheck of(Keyring keyring, KeyringGuard guard) {
        guard.check(keyring, "of the bean of type Keyring");
        return new KeyringCheck();
    }

    /** The keyring was checked when it was opened. */
    static KeyringCheck done() {
        return new KeyringCheck();
    }
}
