package io.credential.apikey.leak;

import java.util.HexFormat;

import io.credential.apikey.ApiKeyRegistryOptions;

/**
 * Finds tokens in any text, whatever registry they belong to. It needs no configuration, so that it can be used before an
 * application has read its own. What follows the id of a token counts as its secret, however short it is: it may have
 * been cut off.
 *
 * <p>Takes linear time: each part of a token is bounded in length, and read at most once per underscore.
 *
 * @since 0.1.0
 */
public final class TokenMask {

    /** Stands in place of a secret. */
    public static final String MASK = "***";

    private static final int MIN_ID_DIGITS = 2 * ApiKeyRegistryOptions.MIN_ID_BYTES;
    private static final int MAX_ID_DIGITS = 2 * ApiKeyRegistryOptions.MAX_ID_BYTES;
    private static final int MAX_NAMESPACE = 64;

    private TokenMask() {}

    /** Returns the text with the secret of each token masked; its prefix, namespace and id remain. */
    public static String mask(String text) {
        int secret = nextSecret(text, 0);
        if (secret < 0) {
            return text;
        }
        StringBuilder masked = new StringBuilder(text.length());
        int copied = 0;
        while (secret >= 0) {
            masked.append(text, copied, secret).append(MASK);
            copied = endOfHex(text, secret);
            secret = nextSecret(text, copied);
        }
        return masked.append(text, copied, text.length()).toString();
    }

    /** Returns whether the text contains a token. */
    public static boolean isIn(String text) {
        return nextSecret(text, 0) >= 0;
    }

    /** Returns where the next secret begins, or -1. */
    private static int nextSecret(String text, int from) {
        for (int underscore = text.indexOf('_', from);
                underscore >= 0;
                underscore = text.indexOf('_', underscore + 1)) {
            int next = underscore + 1;
            if (next < text.length() && HexFormat.isHexDigit(text.charAt(next)) && isAfterId(text, underscore)) {
                return next;
            }
        }
        return -1;
    }

    private static int endOfHex(String text, int from) {
        int end = from;
        while (end < text.length() && HexFormat.isHexDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isAfterId(String text, int third) {
        int second = third - 1;
        while (second >= 0 && third - second <= MAX_ID_DIGITS && HexFormat.isHexDigit(text.charAt(second))) {
            second--;
        }
        return second >= 0
                && text.charAt(second) == '_'
                && third - second > MIN_ID_DIGITS
                && isAfterNamespace(text, second);
    }

    private static boolean isAfterNamespace(String text, int second) {
        int first = second - 1;
        while (first >= 0 && second - first <= MAX_NAMESPACE && isPartOfName(text.charAt(first))) {
            first--;
        }
        return first > 0 && second - first > 1 && text.charAt(first) == '_' && isPartOfName(text.charAt(first - 1));
    }

    private static boolean isPartOfName(char character) {
        return character > ' ' && character <= '~' && character != '_';
    }
}
