package io.credential.apikey;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.KeyRules;
import io.credential.secret.SecretBytes;

/**
 * The form of the tokens that another system has issued, so that imported keys are recognized. Immutable.
 *
 * @param pattern a regular expression for the whole token. Its group {@code id} is the look-up id of the key; without this
 *     group, the key is looked up by its hash. Its group {@code secret} is what the other system has hashed; without this
 *     group, that is the whole token
 * @param lookupHash how the secret is hashed to look up the key; null if the pattern has a group {@code id}
 * @param pepper the key of HMAC-SHA-256; null, the default, for none. It must not be closed
 * @since 0.1.0
 */
public record ForeignTokenForm(
        String pattern,
        @Nullable ForeignHashAlgorithm lookupHash,
        @Nullable SecretBytes pepper) {

    /** The greatest length of a pattern. */
    public static final int MAX_PATTERN_LENGTH = 512;

    /**
     * @throws ApiKeyException {@code api-key/bad-opt} if the pattern is malformed or too long, or cannot be used to look
     *     up keys
     */
    public ForeignTokenForm {
        KeyRules.required(pattern, "pattern");
        boolean hasId = hasGroup(pattern, "id");
        require(
                hasId != (lookupHash != null),
                "The pattern must have a group named id, as in (?<id>[0-9]+), or"
                        + " else a hash by which keys are looked up");
        require(
                lookupHash == null || lookupHash.isDeterministic(),
                "Keys can be looked up by their hash only for sha256, sha512 and hmac-sha256");
        require(
                lookupHash == null || !lookupHash.isPeppered() || pepper != null,
                "A pepper is required to look up keys by their hmac-sha256");
        require(pepper == null || pepper.length() > 0, "The pepper must not be empty");
    }

    /**
     * Returns the form of tokens that contain a look-up id.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} if the pattern has no group {@code id}
     */
    public static ForeignTokenForm withId(String pattern) {
        return new ForeignTokenForm(pattern, null, null);
    }

    /**
     * Returns the form of tokens whose key is looked up by its hash.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} for {@code hmac-sha256}, which needs a pepper
     */
    public static ForeignTokenForm byHash(String pattern, ForeignHashAlgorithm lookupHash) {
        return new ForeignTokenForm(pattern, KeyRules.required(lookupHash, "lookupHash"), null);
    }

    private static boolean hasGroup(String pattern, String group) {
        require(
                pattern.length() <= MAX_PATTERN_LENGTH,
                "The pattern must have at most " + MAX_PATTERN_LENGTH + " characters");
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, "The pattern is not a regular expression: " + e.getDescription(), e);
        }
        return pattern.contains("(?<" + group + ">");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, message);
        }
    }
}
