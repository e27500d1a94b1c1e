package io.credential.webhook.delivery.internal.queue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The headers of a request or response as they are stored: a line for each. Their names and values contain no line breaks.
 */
public final class HeaderText {

    private static final String SEPARATOR = ": ";

    private HeaderText() {}

    public static String toText(Map<String, String> headers) {
        return headers.entrySet().stream()
                .map(header -> header.getKey() + SEPARATOR + header.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** @param text null if there are none */
    public static Map<String, String> ofText(@Nullable String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        if (text != null) {
            text.lines().forEach(line -> {
                int end = line.indexOf(SEPARATOR);
                if (end > 0) {
                    headers.put(line.substring(0, end), line.substring(end + SEPARATOR.length()));
                }
            });
        }
        return headers;
    }
}
