package io.credential.apikey;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The four parts of a token {@code <prefix>_<namespace>_<idHex>_<secretHex>}, parsed to route it to its registry. A
 * token that parses is well formed, but not verified. Contains the secret: do not log or keep it.
 *
 * @param prefix marks the token as a credential of this kind
 * @param namespace names its registry
 * @param idHex the key's id
 * @param secretHex the secret
 * @since 0.1.0
 */
public record ApiKeyToken(String prefix, String namespace, String idHex, String secretHex) {

    /** Longer texts are rejected before any other check. */
    public static final int MAX_LENGTH = 512;

    /**
     * Parses a token without looking it up. Hex digits of either case are accepted, and kept as they are.
     *
     * @return empty for anything but four non-empty parts of which the last two are hex of whole bytes
     */
    public static Optional<ApiKeyToken> parse(@Nullable String token) {
        if (token == null || token.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        int first = token.indexOf('_');
        int second = token.indexOf('_', first + 1);
        int third = token.indexOf('_', second + 1);
        if (first < 0 || second < 0 || third < 0 || token.indexOf('_', third + 1) >= 0) {
            return Optional.empty();
        }
        String prefix = token.substring(0, first);
        String namespace = token.substring(first + 1, second);
        String idHex = token.substring(second + 1, third);
        String secretHex = token.substring(third + 1);
        if (prefix.isEmpty() || namespace.isEmpty() || !isHexOfWholeBytes(idHex) || !isHexOfWholeBytes(secretHex)) {
            return Optional.empty();
        }
        return Optional.of(new ApiKeyToken(prefix, namespace, idHex, secretHex));
    }

    private static boolean isHexOfWholeBytes(String text) {
        return !text.isEmpty() && text.length() % 2 == 0 && isHex(text);
    }

    /**
     * Returns whether a text has only hex digits. This runs for every character of every token, and processors cannot predict
     * whether a random digit is a letter, so there is no branch: a term is negative if the character is not in its range.
     */
    private static boolean isHex(String text) {
        int outside = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            int letter = (text.charAt(i) | 0x20) - 'a';
            outside |= (digit | (9 - digit)) & (letter | (5 - letter));
        }
        return outside >= 0;
    }

    /** Leaves the secret out. */
    @Override
    public String toString() {
        return "ApiKeyToken[prefix=" + prefix + ", namespace=" + namespace + ", idHex=" + idHex
                + ", secretHex=<redacted>]";
    }
}
