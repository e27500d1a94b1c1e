package io.credential.audit;

import org.jspecify.annotations.Nullable;

/**
 * Makes text of callers safe to store and to show.
 *
 * @since 0.1.0
 */
public final class AuditText {

    private static final char REPLACEMENT = '\uFFFD';

    private AuditText() {}

    /**
     * Returns the text with at most a number of characters. Control characters and unpaired surrogates, which not every
     * database stores, are replaced by {@code U+FFFD}. Null stays null.
     */
    public static @Nullable String bounded(@Nullable String text, int maxCharacters) {
        if (text == null) {
            return null;
        }
        String cut = text.length() <= maxCharacters ? text : text.substring(0, maxCharacters);
        return cut.codePoints().allMatch(AuditText::isPlain) ? cut : replaced(cut);
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
