package io.credential.spring.console.internal.web;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What was entered into the form of a filter, which is sent as the query of a URL.
 *
 * @param byField the values of the fields that are not empty, in the order of the form
 */
public record FilterValues(Map<String, String> byField) {

    /**
     * Returns the values of a request.
     *
     * @param texts the fields with texts
     * @param times the fields with times
     * @throws ConsoleException if a value is too long, or is not a time
     */
    public static FilterValues of(Parameters parameters, List<String> texts, List<String> times) {
        Map<String, String> values = new LinkedHashMap<>();
        texts.forEach(field -> parameters.text(field).ifPresent(text -> values.put(field, text)));
        times.forEach(field -> parameters.time(field).ifPresent(time -> values.put(field, Formats.field(time))));
        return new FilterValues(values);
    }

    /** Returns the value of a field, which may be empty. */
    public String value(String field) {
        return byField.getOrDefault(field, "");
    }

    /** Returns whether all fields are empty. */
    public boolean isEmpty() {
        return byField.isEmpty();
    }

    /** Returns the query of a URL, without a question mark. */
    public String urlQuery() {
        return byField.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    /** Returns the query of the URL of the page that begins at this cursor. */
    public String urlQuery(String cursor) {
        return urlQuery() + (isEmpty() ? "" : "&") + "cursor=" + cursor;
    }
}
