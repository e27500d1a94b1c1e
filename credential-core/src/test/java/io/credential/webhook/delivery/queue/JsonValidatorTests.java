package io.credential.webhook.delivery.queue;

import java.nio.charset.StandardCharsets;

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
        assertThat(JsonValidator.problem(json)).isEmpty();
        assertThat(JsonValidator.problem(json.getBytes(StandardCharsets.UTF_8))).isEmpty();
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
        assertThat(JsonValidator.problem(text)).isNotEmpty();
        assertThat(JsonValidator.problem(text.getBytes(StandardCharsets.UTF_8))).isNotEmpty();
    }

    @Test
    void problemWhenItIsNotUtf8ThenTold() {
        assertThat(JsonValidator.problem(new byte[] {'"', (byte) 0xff, '"'}))
                .hasValueSatisfying(problem -> assertThat(problem).contains("UTF-8"));
        assertThat(JsonValidator.problem("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE)))
                .isNotEmpty();
    }

    @Test
    void problemThenShowsThePlaceAndNothingOfTheText() {
        assertThat(JsonValidator.problem("{\"total\":[1,NaN]}").orElseThrow())
                .isEqualTo("the number at /total/1 is NaN or infinite");
        assertThat(JsonValidator.problem("{\"a\":{\"b\":hunter2}}").orElseThrow())
                .contains("/a/b")
                .doesNotContain("hunter2");
    }

    @Test
    void problemWhenANumberIsVeryLongThenEmpty() {
        assertThat(JsonValidator.problem("[" + "9".repeat(5000) + "]")).isEmpty();
    }
}
