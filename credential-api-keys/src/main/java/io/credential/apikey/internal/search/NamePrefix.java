package io.credential.apikey.internal.search;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/** Compares the beginnings of names, regardless of case and of the form of their characters. */
public final class NamePrefix {

    /** In code points. Shorter ones would match too many keys. */
    public static final int MIN_LENGTH = 3;

    /** Longer beginnings are compared after the key was found by its first code points. */
    static final int MAX_INDEXED_LENGTH = 16;

    private NamePrefix() {}

    /** Returns the form in which names are compared. Each character is folded alone, so that beginnings stay beginnings. */
    public static String normalized(String text) {
        String composed = Normalizer.normalize(text, Normalizer.Form.NFKC);
        return composed.codePoints()
                .map(character -> Character.toLowerCase(Character.toUpperCase(character)))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Returns the beginnings of a name by which it is found. */
    static List<String> indexed(String name) {
        String text = normalized(name);
        int length = text.codePointCount(0, text.length());
        List<String> beginnings = new ArrayList<>();
        for (int end = MIN_LENGTH; end <= Math.min(length, MAX_INDEXED_LENGTH); end++) {
            beginnings.add(text.substring(0, text.offsetByCodePoints(0, end)));
        }
        return beginnings;
    }

    /** Returns the longest beginning of a normalized prefix that is indexed. */
    static String lookedUp(String normalized) {
        int length = normalized.codePointCount(0, normalized.length());
        return normalized.substring(0, normalized.offsetByCodePoints(0, Math.min(length, MAX_INDEXED_LENGTH)));
    }
}
