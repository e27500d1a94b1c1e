package io.credential.sample;

import java.util.List;
import java.util.regex.Pattern;

import org.springframework.http.HttpHeaders;
import org.springframework.util.MimeTypeUtils;

/**
 * What a client prefers (RFC 7240). What is unknown or malformed is no preference.
 *
 * @param respondAsync whether it would rather not wait for the outcome
 */
record Preferences(boolean respondAsync) {

    static final String APPLIED = "Preference-Applied";
    static final String RESPOND_ASYNC = "respond-async";

    /** An empty value is the same as none; parameters are ignored. */
    private static final Pattern IS_RESPOND_ASYNC =
            Pattern.compile(RESPOND_ASYNC + "\\s*(=\\s*(\"\")?\\s*)?(;.*)?", Pattern.CASE_INSENSITIVE);

    static Preferences of(HttpHeaders headers) {
        List<String> preferences = headers.getOrEmpty("Prefer").stream()
                .flatMap(value -> MimeTypeUtils.tokenize(value).stream()) // at commas, but for those in quotes
                .map(String::strip)
                .toList();
        return new Preferences(preferences.stream()
                .anyMatch(preference -> IS_RESPOND_ASYNC.matcher(preference).matches()));
    }
}
