package io.credential.observation;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TraceParentTests {

    private static final String VALID = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final Map<String, String> carrier = new HashMap<>();

    @Test
    void putThenReadBack() {
        TraceParent.put(carrier, "traceparent", VALID);
        TraceParent.put(null, "traceparent", VALID);

        assertThat(TraceParent.in(carrier)).isEqualTo(VALID);
        assertThat(TraceParent.in(null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tracestate", "baggage", "Authorization"})
    void putWhenAnotherHeaderThenIgnored(String name) {
        TraceParent.put(carrier, name, VALID);

        assertThat(carrier).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\nX: y",
                "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            })
    void putWhenMalformedThenIgnored(String value) {
        TraceParent.put(carrier, "traceparent", value);

        assertThat(carrier).isEmpty();
        assertThat(TraceParent.carrier(value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"99, other", "100, 1xx", "204, 2xx", "599, 5xx", "600, other", ", none"})
    void statusClassThenOneOfAFewWords(@Nullable Integer status, String word) {
        assertThat(Words.statusClass(status)).isEqualTo(word);
    }
}
