package io.credential.webhook.delivery.internal.queue;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class JsonValidatorTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                " [1, 2.5e3, \"a\"] \n",
                "\"text\"",
                "null",
                "true",
                "-0",
                "{\"a\":{\"b\":[{}]},\"c\":[]}",
            })
    void problemWhenItIsOneValueThenEmpty(String json) {
        assertThat(problem(json)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "hello",
                "{",
                "{} {}",
                "1 2",
                "{\"a\":1,}",
                "{'a':1}",
                "[1,]",
                "{\"a\":01}",
                "\"a\nb\"",
                "\uFEFF{}",
                "{}]",
                "{\"type\":1}, \"type\":2",
                "// comment\n{}",
            })
    void problemWhenItIsNotOneValueThenTold(String text) {
        assertThat(problem(text)).isNotEmpty();
    }

    /** "aB" and "b!" have the same hash. */
    @Test
    void problemWhenNamesHaveTheSameHashThenEmpty() {
        String json = IntStream.range(0, 1 << 10)
                .mapToObj(i -> IntStream.range(0, 10)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "aB" : "b!")
                        .collect(Collectors.joining("", "\"", "\":1")))
                .collect(Collectors.joining(",", "{", "}"));

        assertThat(problem(json)).isEmpty();
    }

    @Test
    void problemWhenItIsNotUtf8ThenTold() {
        assertThat(JsonValidator.problem(new byte[] {'"', (byte) 0xff, '"'})).hasValue("it is not UTF-8");
        assertThat(JsonValidator.problem("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE)))
                .isNotEmpty();
    }

    @Test
    void problemThenShowsThePlaceAndNothingOfTheText() {
        assertThat(problem("{\"total\":[1,NaN]}").orElseThrow())
                .isEqualTo("the number at line 1, column 13 is NaN or infinite");
        assertThat(problem("{\"alice@example.com\":\n{\"b\":hunter2}}").orElseThrow())
                .contains("line 2, column")
                .doesNotContain("hunter2", "alice", "b\"");
    }

    @Test
    void problemWhenANumberIsVeryLongThenEmpty() {
        assertThat(problem("[" + "9".repeat(5000) + "]")).isEmpty();
    }

    @Test
    void problemWhenANameIsVeryLongThenEmpty() {
        assertThat(problem("{\"" + "n".repeat(100_000) + "\":1}")).isEmpty();
    }

    @Test
    void depthWhenAboveTheLimitThenTooDeep() {
        assertThat(problem(nested(500))).isEmpty();
        assertThat(isTooDeep(nested(500))).isFalse();
        assertThat(problem(nested(501)).orElseThrow()).contains("500 levels");
        assertThat(isTooDeep(nested(501))).isTrue();
        assertThat(isTooDeep("{\"a\":".repeat(501) + "1" + "}".repeat(501))).isTrue();
        assertThat(isTooDeep("[]".repeat(501))).isFalse();
        assertThat(isTooDeep("\"" + "[".repeat(501) + "\"")).isFalse();
        assertThat(isTooDeep("not JSON" + nested(501))).isFalse();
    }

    private static String nested(int levels) {
        return "[".repeat(levels) + "]".repeat(levels);
    }

    private static boolean isTooDeep(String text) {
        return JsonValidator.isTooDeep(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void problemWhenACharacterIsCutOffThenTold() {
        assertThat(JsonValidator.problem(new byte[] {'1', ' ', (byte) 0xc3})).hasValue("it is not UTF-8");
    }

    private static Optional<String> problem(String text) {
        return JsonValidator.problem(text.getBytes(StandardCharsets.UTF_8));
    }
}
