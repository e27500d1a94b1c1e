package io.credential.spring.autoconfigure.keyring;

import org.bouncycastle.crypto.digests.SHA3Digest;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

/** Loads a class of Bouncy Castle while the application starts: the first one waits until its signed jar is verified. */
final class BouncyCastleBackgroundPreinitializer implements BackgroundPreinitializer {

    @Override
    public void preinitialize() {
        new SHA3Digest();
    }
}
