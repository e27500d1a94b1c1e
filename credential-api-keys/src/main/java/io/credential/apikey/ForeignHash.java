package io.credential.apikey;

import java.util.function.UnaryOperator;

import io.credential.apikey.internal.KeyRules;
import io.credential.secret.internal.ImportedHashes;

/**
 * The hash of a key's secret as another system has stored it. The secret is hashed as UTF-8. Immutable.
 *
 * @since 0.1.0
 */
public final class ForeignHash {

    private final Algorithm algorithm;
    private final String text;

    private ForeignHash(Algorithm algorithm, String text) {
        this.algorithm = algorithm;
        this.text = text;
    }

    /**
     * Parses a hash.
     *
     * @param text hex, base64 or base64url for SHA-256, SHA-512 and HMAC-SHA-256; the usual text with salt and cost for bcrypt
     *     and Argon2id
     * @throws ApiKeyException {@code api-key/bad-opt} if the text has another form, or the hash costs too much to compare
     */
    public static ForeignHash of(Algorithm algorithm, String text) {
        KeyRules.required(algorithm, "algorithm");
        KeyRules.required(text, "text");
        try {
            return new ForeignHash(algorithm, algorithm.parser.apply(text));
        } catch (IllegalArgumentException e) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "hash: " + e.getMessage(), e);
        }
    }

    public Algorithm algorithm() {
        return algorithm;
    }

    /** Returns the text that is stored. */
    public String text() {
        return text;
    }

    /** Leaves out the hash. */
    @Override
    public String toString() {
        return "ForeignHash[" + algorithm.text() + "]";
    }

    /** How another system has hashed its keys. */
    public enum Algorithm {
        /** SHA-256 of the secret. */
        SHA256("sha256", ImportedHashes::sha256),
        /** SHA-512 of the secret. */
        SHA512("sha512", ImportedHashes::sha512),
        /** HMAC-SHA-256 of the secret under a pepper. */
        HMAC_SHA256("hmac-sha256", ImportedHashes::hmacSha256),
        /** bcrypt of cost 4 to 16, which ignores what follows the first 72 bytes of the secret. */
        BCRYPT("bcrypt", ImportedHashes::bcrypt),
        /** Argon2id version 19 (RFC 9106) as a PHC string. */
        ARGON2ID("argon2id", ImportedHashes::argon2id);

        private final String text;
        private final UnaryOperator<String> parser;

        Algorithm(String text, UnaryOperator<String> parser) {
            this.text = text;
            this.parser = parser;
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
}
