package io.credential.webhook.signature.internal;

import java.security.SecureRandom;
import java.time.InstantSource;

/**
 * Generates ids of 26 characters: the time in milliseconds and 80 random bits, in Crockford's base 32. Ids of the same
 * millisecond have no order. Thread-safe.
 */
public final class UlidGenerator {

    private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int TIME_CHARACTERS = 10;
    private static final int RANDOM_CHARACTERS = 16;
    private static final int RANDOM_BYTES = 10;
    private static final int BITS = 5;

    private final InstantSource clock;
    private final SecureRandom random;

    public UlidGenerator(InstantSource clock, SecureRandom random) {
        this.clock = clock;
        this.random = random;
    }

    public String next() {
        StringBuilder id = new StringBuilder(TIME_CHARACTERS + RANDOM_CHARACTERS);
        long millis = clock.millis();
        for (int shift = (TIME_CHARACTERS - 1) * BITS; shift >= 0; shift -= BITS) {
            id.append(character(millis >>> shift));
        }
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        long bits = 0;
        int count = 0;
        for (byte value : bytes) {
            bits = (bits << Byte.SIZE) | (value & 0xFF);
            for (count += Byte.SIZE; count >= BITS; count -= BITS) {
                id.append(character(bits >>> (count - BITS)));
            }
        }
        return id.toString();
    }

    private static char character(long value) {
        return ALPHABET.charAt((int) (value & (ALPHABET.length() - 1)));
    }
}
