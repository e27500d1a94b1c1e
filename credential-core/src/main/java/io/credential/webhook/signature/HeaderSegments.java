package io.credential.webhook.signature;

import java.util.Arrays;
import java.util.List;

/** Splits a signature header into its segments, which are separated by commas. */
final class HeaderSegments {

    /** The timestamp, the id, and more kids than any key rotation needs. */
    static final int MAX = 32;

    private HeaderSegments() {}

    /** Counts only the commas, so that a header with too many segments is not split first. */
    static boolean areTooMany(String header) {
        return header.chars().filter(character -> character == ',').count() >= MAX;
    }

    /** Returns the segments without the optional white space of HTTP around them: spaces and tabs only. */
    static List<String> of(String header) {
        return Arrays.stream(header.split(",", -1)).map(HeaderSegments::strip).toList();
    }

    private static String strip(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t';
    }
}
