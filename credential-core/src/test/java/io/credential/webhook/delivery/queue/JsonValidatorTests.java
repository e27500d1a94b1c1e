package io.credential.webhook.delivery.queue;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

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

    @Test
    void problemWhenItIsNotUtf8ThenTold() {
        assertThat(JsonValidator.problem(new byte[] {'"', (byte) 0xff, '"'})).hasValue("it is not UTF-8");
        assertThat(JsonValidator.problem("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE)))
                .isNotEmpty();
    }

    @Test
    void problemThenShowsThePlaceAndNothingOfTheText() {
        assertThat(problem("{\"total\":[1,NaN]}").orElseThrow()).isEqualTo("the number at /total/1 is NaN or infinite");
        assertThat(problem("{\"a\":{\"b\":hunter2}}").orElseThrow())
                .contains("/a/b")
                .doesNotContain("hunter2");
    }

    @Test
    void problemWhenANumberIsVeryLongThenEmpty() {
        assertThat(problem("[" + "9".repeat(5000) + "]")).isEmpty();
    }

    @Test
    void problemWhenACharacterIsCutOffThenTold() {
        assertThat(JsonValidator.problem(new byte[] {'1', ' ', (byte) 0xc3})).hasValue("it is not UTF-8");
    }

    private static Optional<String> problem(String text) {
        return JsonValidator.problem(text.getBytes(StandardCharsets.UTF_8));
    }
}
