package io.credential.spring.autoconfigure.webhook;

import java.util.ArrayList;
import java.util.List;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Determines whether a path can match both of two patterns, ignoring case and repeated slashes. Two segments with
 * wildcards are assumed to match if they begin alike.
 */
final class PatternOverlap {

    private static final PathPatternParser PARSER = new PathPatternParser();

    static {
        PARSER.setCaseSensitive(false);
    }

    private PatternOverlap() {}

    static boolean exists(String first, String second) {
        return exists(segments(first), segments(second));
    }

    /** Returns whether the pattern matches a single path. */
    static boolean isLiteral(String pattern) {
        return pattern.indexOf('*') < 0 && pattern.indexOf('?') < 0 && pattern.indexOf('{') < 0;
    }

    private static boolean exists(List<String> first, List<String> second) {
        if (startsWithMany(first)) {
            return exists(rest(first), second) || (!second.isEmpty() && exists(first, rest(second)));
        }
        if (startsWithMany(second)) {
            return exists(second, first);
        }
        if (first.isEmpty() || second.isEmpty()) {
            return first.isEmpty() && second.isEmpty();
        }
        return overlap(first.get(0), second.get(0)) && exists(rest(first), rest(second));
    }

    private static boolean overlap(String first, String second) {
        if (isLiteral(first)) {
            return isLiteral(second) ? first.equalsIgnoreCase(second) : matches(second, first);
        }
        return isLiteral(second) ? matches(first, second) : beginAlike(first, second);
    }

    private static boolean beginAlike(String first, String second) {
        int length = Math.min(literalStart(first), literalStart(second));
        return first.regionMatches(true, 0, second, 0, length);
    }

    /** Returns the length of what precedes the first wildcard. */
    private static int literalStart(String pattern) {
        return (int) pattern.chars()
                .takeWhile(character -> "*?{".indexOf(character) < 0)
                .count();
    }

    private static boolean matches(String pattern, String segment) {
        try {
            return PARSER.parse("/" + pattern).matches(PathContainer.parsePath("/" + segment));
        } catch (PatternParseException e) {
            // A pattern of another syntax (Ant): it may match.
            return true;
        }
    }

    private static boolean startsWithMany(List<String> segments) {
        return !segments.isEmpty()
                && (segments.get(0).equals("**") || segments.get(0).startsWith("{*"));
    }

    private static List<String> rest(List<String> segments) {
        return segments.subList(1, segments.size());
    }

    /** A slash in braces belongs to the regular expression of a variable. */
    private static List<String> segments(String pattern) {
        List<String> segments = new ArrayList<>();
        StringBuilder segment = new StringBuilder();
        int depth = 0;
        for (char character : (pattern + "/").toCharArray()) {
            depth += character == '{' ? 1 : character == '}' ? -1 : 0;
            if (character != '/' || depth > 0) {
                segment.append(character);
            } else if (!segment.isEmpty()) {
                segments.add(segment.toString());
                segment.setLength(0);
            }
        }
        return segments;
    }
}
