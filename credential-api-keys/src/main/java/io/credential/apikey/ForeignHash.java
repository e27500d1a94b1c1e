package io.credential.apikey;

import io.credential.apikey.internal.KeyRules;
import io.credential.secret.internal.ImportedHashes;

/**
 * The hash of a key's secret as another system has stored it. The secret is hashed as UTF-8. Immutable.
 *
 * @since 0.1.0
 */
public final class ForeignHash {

    private final ForeignHashAlgorithm algorithm;
    private final String text;

    private ForeignHash(ForeignHashAlgorithm algorithm, String text) {
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
    public static ForeignHash of(ForeignHashAlgorithm algorithm, String text) {
        KeyRules.required(algorithm, "algorithm");
        KeyRules.required(text, "text");
        try {
            return new ForeignHash(algorithm, parsed(algorithm, text));
        } catch (IllegalArgumentException e) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "hash: " + e.getMessage(), e);
        }
    }

    private static String parsed(ForeignHashAlgorithm algorithm, String text) {
        return switch (algorithm) {
            case SHA256 -> ImportedHashes.sha256(text);
            case SHA512 -> ImportedHashes.sha512(text);
            case HMAC_SHA256 -> ImportedHashes.hmacSha256(text);
            case BCRYPT -> ImportedHashes.bcrypt(text);
            case ARGON2ID -> ImportedHashes.argon2id(text);
        };
    }

    public ForeignHashAlgorithm algorithm() {
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
}
