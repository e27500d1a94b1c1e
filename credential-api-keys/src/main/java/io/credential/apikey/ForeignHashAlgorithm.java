package io.credential.apikey;

/**
 * How another system has hashed its keys.
 *
 * @since 0.1.0
 */
public enum ForeignHashAlgorithm {
    /** SHA-256 of the secret. */
    SHA256("sha256"),
    /** SHA-512 of the secret. */
    SHA512("sha512"),
    /** HMAC-SHA-256 of the secret under a pepper. */
    HMAC_SHA256("hmac-sha256"),
    /** bcrypt of cost 4 to 16, which ignores what follows the first 72 bytes of the secret. */
    BCRYPT("bcrypt"),
    /** Argon2id version 19 (RFC 9106) as a PHC string. */
    ARGON2ID("argon2id");

    private final String text;

    ForeignHashAlgorithm(String text) {
        this.text = text;
    }

    /** Returns the name in properties and import files, for example {@code hmac-sha256}. */
    public String text() {
        return text;
    }

    /** Whether the hash depends on a key that is not stored with it. */
    public boolean isPeppered() {
        return this == HMAC_SHA256;
    }

    /** Whether equal secrets have equal hashes, so that a key can be looked up by its hash. */
    public boolean isDeterministic() {
        return this != BCRYPT && this != ARGON2ID;
    }
}
