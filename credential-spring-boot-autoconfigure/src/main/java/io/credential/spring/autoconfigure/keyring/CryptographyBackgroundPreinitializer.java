package io.credential.spring.autoconfigure.keyring;

import java.security.SecureRandom;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

import io.credential.seal.Keyring;

/** Derives keys in the background while the application starts: verifying the signed jar of Bouncy Castle takes longest. */
final class CryptographyBackgroundPreinitializer implements BackgroundPreinitializer {

    @Override
    public void preinitialize() {
        Keyring.generate(new SecureRandom());
    }
}
