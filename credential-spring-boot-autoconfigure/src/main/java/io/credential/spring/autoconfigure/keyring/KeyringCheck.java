package io.credential.spring.autoconfigure.keyring;

import org.springframework.beans.factory.InitializingBean;

import io.credential.seal.Keyring;
import io.credential.storage.KeyringGuard;

/** Stops the start when the keyring in use is not the one that the database was sealed with. */
final class KeyringCheck implements InitializingBean {

    private final KeyringGuard guard;
    private final Keyring keyring;

    KeyringCheck(KeyringGuard guard, Keyring keyring) {
        this.guard = guard;
        this.keyring = keyring;
    }

    @Override
    public void afterPropertiesSet() {
        guard.check(keyring, "of the bean of type Keyring");
    }
}
