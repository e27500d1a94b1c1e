package io.credential.benchmarks;

/** How much a program measures. */
public enum Profile {

    /** A few seconds, to see that the program works; what it measures means nothing. */
    SMOKE,

    /** A few minutes. */
    SHORT,

    /** As long as it takes to tell changes from noise. */
    FULL;

    /**
     * Returns the profile that the arguments of a program name: {@code smoke}, {@code short}, or none for all.
     *
     * @throws IllegalArgumentException for other arguments
     */
    public static Profile of(String... arguments) {
        return switch (String.join(" ", arguments)) {
            case "smoke" -> SMOKE;
            case "short" -> SHORT;
            case "" -> FULL;
            default ->
                throw new IllegalArgumentException(
                        "Use smoke, short or no argument, not " + String.join(" ", arguments));
        };
    }

    /** Returns what this profile uses. */
    public <T> T choose(T smoke, T brief, T full) {
        return switch (this) {
            case SMOKE -> smoke;
            case SHORT -> brief;
            case FULL -> full;
        };
    }
}
