package io.credential.secret.internal;

import java.util.HexFormat;

/** Finds tokens of API keys in any text, and masks their secrets. */
public final class TokenText {

    /** Replaces a secret. */
    public static final String MASK = "***";

    public static final int MIN_ID_BYTES = 8;
    public static final int MAX_ID_BYTES = 32;

    private static final int MIN_ID_DIGITS = 2 * MIN_ID_BYTES;
    private static final int MAX_ID_DIGITS = 2 * MAX_ID_BYTES;
    private static final int MAX_NAMESPACE = 64;

    private TokenText() {}

    /** Returns the text with the secret of each token masked; its prefix, namespace and id remain. */
    public static String mask(String text) {
        PercentDecoded decoded = PercentDecoded.of(text);
        String plain = decoded.text();
        int secret = nextSecret(plain, 0);
        if (secret < 0) {
            return text;
        }
        StringBuilder masked = new StringBuilder(text.length());
        int copied = 0;
        while (secret >= 0) {
            masked.append(text, copied, decoded.position(secret)).append(MASK);
            int end = endOfHex(plain, secret);
            copied = decoded.position(end);
            secret = nextSecret(plain, end);
        }
        return masked.append(text, copied, text.length()).toString();
    }

    /** Returns whether the text contains a token. */
    public static boolean containsToken(String text) {
        return nextSecret(PercentDecoded.of(text).text(), 0) >= 0;
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
