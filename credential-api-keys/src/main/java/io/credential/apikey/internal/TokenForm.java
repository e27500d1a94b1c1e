package io.credential.apikey.internal;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ApiKeyToken;
import io.credential.secret.SecretBytes;
import io.credential.secret.internal.FieldBytes;

/** What is derived from the parts of a token. */
final class TokenForm {

    private TokenForm() {}

    /** Returns the start of all tokens of a registry. */
    static String start(String prefix, String namespace) {
        return prefix + '_' + namespace + '_';
    }

    /** Returns a text up to its second underscore, or empty if it has none or is too long; checks nothing else. */
    static Optional<String> startOf(@Nullable String text) {
        if (text == null || text.length() > ApiKeyToken.MAX_LENGTH) {
            return Optional.empty();
        }
        int second = text.indexOf('_', text.indexOf('_') + 1);
        return second < 0 ? Optional.empty() : Optional.of(text.substring(0, second + 1));
    }

    /** Returns the token as it is issued. */
    static String text(ApiKeyToken token) {
        return start(token.prefix(), token.namespace()) + token.idHex() + '_' + token.secretHex();
    }

    /**
     * Returns the bytes to hash, for the caller to close. They include the id, so that a hash copied to another row
     * matches no token.
     */
    static SecretBytes hashInput(ApiKeyToken token) {
        return new FieldBytes(160)
                .text("credential/api-key/v1")
                .text(token.namespace())
                .text(token.idHex())
                .text(token.secretHex())
                .toSecretBytes();
    }

    /** Whether both hex parts have the lower-case form in which tokens are issued. */
    static boolean isLowerCase(ApiKeyToken token) {
        return isLowerCase(token.idHex()) && isLowerCase(token.secretHex());
    }

    /** Of the characters of hex digits, only {@code A} to {@code F} lack the bit 0x20. */
    private static boolean isLowerCase(String hex) {
        int common = 0x20;
        for (int i = 0; i < hex.length(); i++) {
            common &= hex.charAt(i);
        }
        return common != 0;
    }

    /** Whether a registry can issue an id and a secret of these lengths; other tokens are rejected without a query or a hash. */
    static boolean canBeIssued(ApiKeyToken token) {
        return isHexOf(token.idHex(), ApiKeyRegistryOptions.MIN_ID_BYTES, ApiKeyRegistryOptions.MAX_ID_BYTES)
                && isHexOf(
                        token.secretHex(),
                        ApiKeyRegistryOptions.MIN_SECRET_BYTES,
                        ApiKeyRegistryOptions.MAX_SECRET_BYTES);
    }

    private static boolean isHexOf(String hex, int minBytes, int maxBytes) {
        return hex.length() >= 2 * minBytes && hex.length() <= 2 * maxBytes;
    }
}
