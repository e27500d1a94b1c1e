package io.credential.audit.internal;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.TokenText;

/**
 * Makes text from callers safe to store and to show. A caller may send a token anywhere, for example in place of a
 * name.
 */
public final class AuditText {

    private static final char REPLACEMENT = '\uFFFD';

    private AuditText() {}

    /**
     * Returns the text with at most a number of characters. Control characters and unpaired surrogates, which not every
     * database stores, are replaced by {@code U+FFFD}, and secrets of tokens by {@link TokenText#MASK}. Null stays
     * null.
     */
    public static @Nullable String bounded(@Nullable String text, int maxCharacters) {
        if (text == null) {
            return null;
        }
        String cut = cut(TokenText.mask(cut(text, maxCharacters)), maxCharacters);
        return cut.codePoints().allMatch(AuditText::isPlain) ? cut : replaced(cut);
    }

    /** Returns the text with secrets of tokens masked. Null stays null. */
    public static @Nullable String masked(@Nullable String text) {
        return text == null ? null : TokenText.mask(text);
    }

    private static String cut(String text, int maxCharacters) {
        return text.length() <= maxCharacters ? text : text.substring(0, maxCharacters);
    }

    private static String replaced(String text) {
        return text.codePoints()
                .map(c -> isPlain(c) ? c : REPLACEMENT)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isPlain(int codePoint) {
        return !Character.isISOControl(codePoint) && Character.getType(codePoint) != Character.SURROGATE;
    }
}
