package io.credential.spring.console.internal.web;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpStatus;
import org.springframework.util.LinkedMultiValueMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ParametersTests {

    @Test
    void textWhenMissingThenIsEmpty() {
        assertThat(parameters().text("name")).isEmpty();
        assertThat(parameters("", "  ").text("name")).isEmpty();
    }

    @Test
    void textWhenRepeatedThenIsTheFirstOne() {
        assertThat(parameters("", " a b ", "c").text("name")).contains("a b");
    }

    @Test
    void textWhenTooLongThenIsRejected() {
        assertThat(parameters("x".repeat(4096)).text("name")).isPresent();
        assertRejected(() -> parameters("x".repeat(4097)).text("name"), "'name' is longer than 4096 characters.");
        assertRejected(() -> parameters("a", "x".repeat(4097)).all("name"), "'name' is longer than 4096 characters.");
    }

    @Test
    void allThenReturnsEachValue() {
        assertThat(parameters("a", "b").all("name")).isEqualTo(List.of("a", "b"));
        assertThat(parameters("a").all("other")).isEmpty();
    }

    @Test
    void requiredWhenMissingThenIsRejected() {
        assertThat(parameters("a").required("name")).isEqualTo("a");
        assertRejected(() -> parameters(" ").required("name"), "'name' must not be empty.");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "007, 7", "999999999999999999, 999999999999999999"})
    void numberThenIsParsed(String text, long expected) {
        assertThat(parameters(text).number("name")).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+1", "1.5", "1e3", "x", "1000000000000000000", "\u0661"})
    void numberWhenMalformedThenIsRejected(String text) {
        assertRejected(() -> parameters(text).number("name"), "'name' must be a whole number.");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-30T16:00, 2026-11-30T16:00:00Z",
        "2026-11-30T16:00:05, 2026-11-30T16:00:05Z",
        "2026-11-30T16:00:05.25Z, 2026-11-30T16:00:05.250Z"
    })
    void timeThenIsInUtc(String text, Instant expected) {
        assertThat(parameters(text).time("name")).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "2026-11-30", "2026-02-30T00:00", "16:00", "Z"})
    void timeWhenMalformedThenIsRejected(String text) {
        assertRejected(
                () -> parameters(text).time("name"), "'name' must be a time in UTC, for example 2026-11-30T16:00.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1000000000-01-01T00:00:00Z", "+999999999-12-31T23:59:59", "-999999999-01-01T00:00"})
    void timeWhenBeyondDatabasesThenIsRejected(String text) {
        assertRejected(
                () -> parameters(text).time("name"), "'name' must be a time in UTC, for example 2026-11-30T16:00.");
    }

    @Test
    void boxThenIsSelectedIfItHasAValue() {
        assertThat(parameters("on").isSelected("name")).isTrue();
        assertThat(parameters().isSelected("name")).isFalse();
    }

    private static Parameters parameters(String... values) {
        LinkedMultiValueMap<String, String> map = new LinkedMultiValueMap<>();
        List.of(values).forEach(value -> map.add("name", value));
        return new Parameters(map);
    }

    private static void assertRejected(Runnable call, String message) {
        assertThatExceptionOfType(ConsoleException.class)
                .isThrownBy(call::run)
                .withMessage(message)
                .satisfies(rejected -> assertThat(rejected.problem().status()).isEqualTo(HttpStatus.BAD_REQUEST));
    }
}
