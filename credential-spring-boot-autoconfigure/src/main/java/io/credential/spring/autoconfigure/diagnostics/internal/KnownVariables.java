package io.credential.spring.autoconfigure.diagnostics.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.util.StringUtils;

/**
 * Finds the environment variable that was meant, however its words are separated. A name in a variable, such as that of
 * a registry, is at least one word.
 */
final class KnownVariables {

    static final String PREFIX = "CREDENTIAL_";

    private static final String SEPARATOR = "_";
    private static final int LETTERS_PER_MISTAKE = 8;
    private static final int MAX_MISTAKES = 2;

    private final List<String> properties;

    /** @param properties the names of properties, with an asterisk for each name that is chosen by the user */
    KnownVariables(List<String> properties) {
        this.properties = List.copyOf(properties);
    }

    /** Returns the variable of the property that is most similar, or empty if none is similar enough. */
    Optional<String> nearest(String variable) {
        List<String> words = Arrays.stream(variable.substring(PREFIX.length())
                        .toUpperCase(Locale.ROOT)
                        .split(SEPARATOR))
                .filter(word -> !word.isEmpty())
                .toList();
        int end = words.size();
        while (end > 0 && words.get(end - 1).chars().allMatch(Character::isDigit)) {
            end--;
        }
        String index =
                words.subList(end, words.size()).stream().map(SEPARATOR::concat).reduce("", String::concat);
        List<String> named = words.subList(0, end);
        return Stream.of(match(named), match(words))
                .flatMap(Optional::stream)
                .min(Match.ORDER)
                .map(match -> match.words() < words.size() ? match.variable() + index : match.variable());
    }

    private Optional<Match> match(List<String> words) {
        return properties.stream()
                .flatMap(property -> matches(property, words))
                .filter(match -> match.mistakes() <= permitted(words))
                .min(Match.ORDER);
    }

    private static int permitted(List<String> words) {
        return Math.min(MAX_MISTAKES, String.join("", words).length() / LETTERS_PER_MISTAKE);
    }

    private static Stream<Match> matches(String property, List<String> words) {
        String[] parts = StringUtils.delimitedListToStringArray(
                property.substring(PREFIX.length())
                        .replace("-", "")
                        .replace('.', '_')
                        .toUpperCase(Locale.ROOT),
                "*");
        return matches(parts, 0, words, 0, new Match(words.size(), 0, 0, PREFIX));
    }

    /** Tries each way to divide the rest of the words among the rest of the parts and the names between them. */
    private static Stream<Match> matches(String[] parts, int part, List<String> words, int from, Match before) {
        String literal = parts[part];
        if (part == parts.length - 1) {
            return Stream.of(before.with(literal, words.subList(from, words.size())));
        }
        List<Match> found = new ArrayList<>();
        for (int end = from; end < words.size(); end++) {
            Match withLiteral = before.with(literal, words.subList(from, end));
            if (withLiteral.mistakes() > MAX_MISTAKES) {
                continue;
            }
            for (int next = end + 1; next <= words.size(); next++) {
                matches(parts, part + 1, words, next, withLiteral.withName(words.subList(end, next)))
                        .forEach(found::add);
            }
        }
        return found.stream();
    }

    /**
     * @param words how many words were matched
     * @param mistakes how many letters differ
     * @param nameWords how many words are part of chosen names
     */
    private record Match(int words, int mistakes, int nameWords, String variable) {

        private static final Comparator<Match> ORDER =
                Comparator.comparingInt(Match::mistakes).thenComparingInt(Match::nameWords);

        Match with(String literal, List<String> written) {
            int distance = KnownProperties.distance(String.join("", written), literal.replace(SEPARATOR, ""));
            return new Match(words, mistakes + distance, nameWords, variable + literal);
        }

        Match withName(List<String> written) {
            return new Match(words, mistakes, nameWords + written.size(), variable + String.join("", written));
        }
    }
}
