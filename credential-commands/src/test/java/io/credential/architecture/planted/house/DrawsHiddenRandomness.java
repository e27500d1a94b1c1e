package io.credential.architecture.planted.house;

import java.security.SecureRandom;

/** Breaks: randomness is injected. */
public final class DrawsHiddenRandomness {

    private final SecureRandom random = new SecureRandom();

    public int next() {
        return random.nextInt();
    }
}
