package io.credential.architecture.planted.apikey;

import java.util.Arrays;

/** Breaks: secrets are compared in constant time. */
public final class ComparesEarly {

    public boolean matches(byte[] presented, byte[] stored) {
        return Arrays.equals(presented, stored);
    }
}
