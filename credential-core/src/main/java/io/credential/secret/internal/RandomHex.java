package io.credential.secret.internal;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random ids and secrets as lower-case hex. Thread-safe. */
public final class RandomHex {

    private static final HexFormat HEX = HexFormat.of();

    private final SecureRandom random;

    public RandomHex(SecureRandom random) {
        this.random = random;
    }

    /**
     * @param byteCount how many random bytes; the text has two digits for each
     * @throws IllegalArgumentException if the count is not positive
     */
    public String next(int byteCount) {
        if (byteCount < 1) {
            throw new IllegalArgumentException("Random hex needs at least 1 byte, not " + byteCount);
        }
        byte[] bytes = new byte[byteCount];
        random.nextBytes(bytes);
        return HEX.formatHex(bytes);
    }
}
