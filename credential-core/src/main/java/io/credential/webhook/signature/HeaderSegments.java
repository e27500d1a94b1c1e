package io.credential.webhook.signature;

import java.util.ArrayList;
import java.util.List;

/** The segments of a signature header, with commas between them. */
final class HeaderSegments {

    /** Time, id, and more kids than any exchange of keys needs. */
    static final int MAX = 32;

    private HeaderSegments() {}

    /** Counts only the commas, so that a header with too many segments is not split first. */
    static boolean areTooMany(String header) {
        return header.chars().filter(character -> character == ',').count() >= MAX;
    }

    /** Each without the optional white space of HTTP around it: spaces and tabs, and none of the others that Unicode has. */
    static List<String> of(String header) {
        List<String> segments = new ArrayList<>(4);
        int start = 0;
        while (start <= header.length()) {
            int comma = header.indexOf(',', start);
            int end = comma < 0 ? header.length() : comma;
            segments.add(strip(header, start, end));
            start = end + 1;
        }
        return segments;
    }

    private static String strip(String text, int start, int end) {
        int from = start;
        int to = end;
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
