package io.credential.webhook.signature.internal;

import java.util.ArrayList;
import java.util.List;

/** Splits a signature header into its segments, which are separated by commas. */
public final class HeaderSegments {

    /** The timestamp, the id, and more kids than any key rotation needs. */
    public static final int MAX = 32;

    private HeaderSegments() {}

    /** Counts only the commas, so that a header with too many segments is not split first. */
    public static boolean areTooMany(String header) {
        int commas = 0;
        for (int comma = header.indexOf(','); comma >= 0; comma = header.indexOf(',', comma + 1)) {
            commas++;
        }
        return commas >= MAX;
    }

    /** Returns the segments without the optional white space of HTTP around them: spaces and tabs only. */
    public static List<String> of(String header) {
        List<String> segments = new ArrayList<>(4);
        int from = 0;
        for (int comma = header.indexOf(','); comma >= 0; comma = header.indexOf(',', from)) {
            segments.add(stripped(header, from, comma));
            from = comma + 1;
        }
        segments.add(stripped(header, from, header.length()));
        return segments;
    }

    private static String stripped(String text, int from, int to) {
        int start = from;
        int end = to;
        while (start < end && isBlank(text.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t';
    }
}
