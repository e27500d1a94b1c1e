package io.credential.secret.internal;

/** The cost of one hash: memory in KiB, passes over it, lanes. */
record Argon2Cost(int memoryKiB, int iterations, int parallelism) {

    /** The most that can be configured, and so the most that an authentic hash may cost after the cost was lowered. */
    static final Argon2Cost LARGEST = new Argon2Cost(1_048_576, 64, 16);

    /** What any stored hash may cost, whatever is configured. */
    private static final Argon2Cost ALWAYS_ALLOWED = new Argon2Cost(65_536, 10, 4);

    private static final int MIN_KIB_PER_LANE = 8;

    static Argon2Cost of(Argon2Settings settings) {
        return new Argon2Cost(settings.memoryKiB(), settings.iterations(), settings.parallelism());
    }

    /** Returns the most that a hash of unknown origin may cost if this is the configured cost. */
    Argon2Cost ceiling() {
        return new Argon2Cost(
                Math.max(memoryKiB, ALWAYS_ALLOWED.memoryKiB),
                Math.max(iterations, ALWAYS_ALLOWED.iterations),
                Math.max(parallelism, ALWAYS_ALLOWED.parallelism));
    }

    /** Whether RFC 9106 permits this cost, and no part of it is above the ceiling. */
    boolean isWithin(Argon2Cost ceiling) {
        return memoryKiB <= ceiling.memoryKiB
                && iterations <= ceiling.iterations
                && parallelism <= ceiling.parallelism
                && memoryKiB >= MIN_KIB_PER_LANE * parallelism;
    }
}
