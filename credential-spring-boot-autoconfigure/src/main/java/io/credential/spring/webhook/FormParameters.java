package io.credential.spring.webhook;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parameters in the form {@code name=value&name=value}; a name without a value has an empty one. Not thread-safe. */
final class FormParameters {

    private final Charset charset;
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    FormParameters(Charset charset) {
        this.charset = charset;
    }

    /**
     * @throws IllegalArgumentException when a percent sign is not followed by two hexadecimal digits
     */
    void add(String encoded) {
        int start = 0;
        while (start <= encoded.length()) {
            int ampersand = encoded.indexOf('&', start);
            int end = ampersand < 0 ? encoded.length() : ampersand;
            if (end > start) {
                addPair(encoded.substring(start, end));
            }
            start = end + 1;
        }
    }

    private void addPair(String pair) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        values.computeIfAbsent(decode(name), unused -> new ArrayList<>(1)).add(decode(value));
    }

    private String decode(String encoded) {
        return URLDecoder.decode(encoded, charset);
    }

    Map<String, String[]> toMap() {
        Map<String, String[]> map = new LinkedHashMap<>();
        values.forEach((name, list) -> map.put(name, list.toArray(String[]::new)));
        return Collections.unmodifiableMap(map);
    }
}
