package io.credential.audit;

import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.secret.TokenText;

/**
 * Makes text from callers safe to store and to show. A caller may send a token anywhere, for example in place of a
 * name.
 *
 * @since 0.1.0
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
    static @Nullable String masked(@Nullable String text) {
        return text == null ? null : TokenText.mask(text);
    }

    /**
     * Returns the value with secrets of tokens masked in its text, and in that of its elements. A value of any other
     * type whose text contains a token is replaced by the masked text.
     */
    static Object maskedValue(Object value) {
        if (value instanceof Number || value instanceof Boolean || value instanceof TemporalAccessor) {
            return value;
        }
        if (!containsToken(value)) {
            return value;
        }
        if (value instanceof Collection<?> elements) {
            List<@Nullable Object> masked = new ArrayList<>();
            for (Object element : elements) {
                masked.add(maskedElement(element));
            }
            return masked;
        }
        if (value instanceof Map<?, ?> entries) {
            Map<@Nullable Object, @Nullable Object> masked = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : entries.entrySet()) {
                masked.put(maskedElement(entry.getKey()), maskedElement(entry.getValue()));
            }
            return masked;
        }
        return TokenText.mask(value.toString());
    }

    /** {@code toString} may throw, or recurse without end: then no sink can write the text either. */
    private static boolean containsToken(Object value) {
        try {
            return TokenText.containsToken(String.valueOf(value));
        } catch (RuntimeException | StackOverflowError e) {
            return false;
        }
    }

    private static @Nullable Object maskedElement(@Nullable Object element) {
        return element == null ? null : maskedValue(element);
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
