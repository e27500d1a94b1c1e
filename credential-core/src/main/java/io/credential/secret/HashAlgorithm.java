package io.credential.secret;

/**
 * How the secret of a key is hashed.
 *
 * @since 0.1.0
 */
public enum HashAlgorithm {
    /** SHAKE256 with 64 bytes of output (FIPS 202): fast, and sufficient for the random secrets of a registry. */
    SHAKE256("shake256"),
    /** Argon2id (RFC 9106): slow on purpose; the first verify of a token on each node costs memory and a permit. */
    ARGON2ID("argon2id");

    private final String text;

    HashAlgorithm(String text) {
        this.text = text;
    }

    /** Returns the name in configuration and at the start of a stored hash. */
    public String text() {
        return text;
    }
}
