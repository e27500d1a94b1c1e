package io.credential.secret.internal;

import java.time.Duration;

/**
 * Cost and concurrency of Argon2id (RFC 9106).
 *
 * @param memoryKiB memory of one hash in KiB, 8 per lane to 1,048,576
 * @param iterations passes over that memory, 1 to 64
 * @param parallelism lanes, 1 to 16
 * @param maxConcurrent hashes computed at once by each registry; up to eight callers wait for each of them
 * @param maxWait how long those callers wait before they are rejected
 */
public record Argon2Settings(int memoryKiB, int iterations, int parallelism, int maxConcurrent, Duration maxWait) {

    public Argon2Settings {
        require(
                parallelism >= 1 && parallelism <= Argon2Cost.LARGEST.parallelism(),
                "parallelism",
                "1 to 16",
                parallelism);
        require(
                memoryKiB >= 8 * parallelism && memoryKiB <= Argon2Cost.LARGEST.memoryKiB(),
                "memory",
                "8 KiB per lane to 1 GiB (in KiB)",
                memoryKiB);
        require(iterations >= 1 && iterations <= Argon2Cost.LARGEST.iterations(), "iterations", "1 to 64", iterations);
        require(maxConcurrent >= 1, "maxConcurrent", "at least 1", maxConcurrent);
        require(maxWait != null && !maxWait.isNegative(), "maxWait", "zero or longer", maxWait);
    }

    /** Returns 19,456 KiB, 2 passes and 1 lane; 4 hashes at once, and up to 2 seconds of waiting. */
    public static Argon2Settings defaults() {
        return new Argon2Settings(19_456, 2, 1, 4, Duration.ofSeconds(2));
    }

    private static void require(boolean holds, String option, String range, Object value) {
        if (!holds) {
            throw new IllegalArgumentException("argon2id." + option + " must be " + range + ", but is " + value);
        }
    }
}
