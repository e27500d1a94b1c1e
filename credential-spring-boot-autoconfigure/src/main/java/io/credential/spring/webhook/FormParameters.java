package io.credential.spring.webhook;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringTokenizer;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/** Parses parameters in the format {@code name=value&name=value}; a name without a value has an empty one. */
final class FormParameters {

    private FormParameters() {}

    /**
     * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits
     */
    static Map<String, String[]> parse(String encoded, Charset charset) {
        MultiValueMap<String, String> values = new LinkedMultiValueMap<>();
        StringTokenizer pairs = new StringTokenizer(encoded, "&");
        while (pairs.hasMoreTokens()) {
            String pair = pairs.nextToken();
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            values.add(URLDecoder.decode(name, charset), URLDecoder.decode(value, charset));
        }
        Map<String, String[]> map = new LinkedHashMap<>();
        values.forEach((name, list) -> map.put(name, list.toArray(String[]::new)));
        return Collections.unmodifiableMap(map);
    }
}
