package io.credential.spring.webhook.internal;

import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.code_intelligence.jazzer.junit.FuzzTest;

import io.credential.spring.webhook.internal.FormParameters.MalformedFormException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A form is parsed, or refused by the specified exception and no other; what was parsed can be written and parsed
 * again.
 */
class FormParametersFuzzTests {

    private static final int MAX_COUNT = 50;

    private static final List<Charset> CHARSETS =
            List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII);

    /** The first byte chooses the charset. */
    @FuzzTest
    void forms(byte[] input) throws MalformedFormException {
        if (input.length == 0) {
            return;
        }
        Charset charset = CHARSETS.get(Math.floorMod(input[0], CHARSETS.size()));
        Map<String, List<String>> parsed;
        try {
            parsed = parse(Arrays.copyOfRange(input, 1, input.length), charset);
        } catch (MalformedFormException refused) {
            return;
        }
        assertThat(parsed.values().stream().mapToInt(List::size).sum()).isBetween(0, MAX_COUNT);
        assertThat(parse(written(parsed, charset).getBytes(charset), charset)).isEqualTo(parsed);
    }

    private static Map<String, List<String>> parse(byte[] form, Charset charset) throws MalformedFormException {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        FormParameters.parse(form, charset, MAX_COUNT).forEach((name, values) -> lists.put(name, List.of(values)));
        return lists;
    }

    private static String written(Map<String, List<String>> parameters, Charset charset) {
        return parameters.entrySet().stream()
                .flatMap(parameter -> parameter.getValue().stream()
                        .map(value -> URLEncoder.encode(parameter.getKey(), charset) + "="
                                + URLEncoder.encode(value, charset)))
                .collect(Collectors.joining("&"));
    }
}
