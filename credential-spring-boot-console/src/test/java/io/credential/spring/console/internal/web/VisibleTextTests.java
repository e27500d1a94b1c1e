package io.credential.spring.console.internal.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class VisibleTextTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "order.created",
                "<b>\"'&",
                "line\n\tindented",
                "C:\\new\\",
                "\\",
                "Zoë 漢字 עברית",
                "\ud83d\ude00"
            })
    void textWhenVisibleThenIsUnchanged(String text) {
        assertThat(VisibleText.of(text)).isSameAs(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0000", "0007", "000d", "001b", "007f", "0085", "00ad", "061c", "200b", "200e", "200f", "2028", "2029", "202a",
        "202e", "2060", "2066", "2069", "e000", "feff", "fff9", "ffff", "00a0", "1680", "2000", "202f", "205f", "3000",
        "034f", "115f", "1160", "17b4", "17b5", "180b", "2800", "3164", "fe00", "fe0f", "ffa0"
    })
    void characterWhenInvisibleThenIsEscaped(String code) {
        String character = Character.toString(Integer.parseInt(code, 16));

        assertThat(VisibleText.of("a" + character + "b")).isEqualTo("a\\u" + code + "b");
    }

    @ParameterizedTest
    @CsvSource({"e0001", "e007f", "e0100", "e01ef", "f0000", "10ffff"})
    void characterWhenBeyondSixteenBitsThenHasBraces(String code) {
        String character = Character.toString(Integer.parseInt(code, 16));

        assertThat(VisibleText.of(character)).isEqualTo("\\u{" + code + "}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"I \u2764\ufe0f webhooks", "\u26a0\ufe0f \u26a0\ufe0f", "\ud83d\udee0\ufe0f Tools"})
    void selectorWhenItMakesAnEmojiThenIsUnchanged(String text) {
        assertThat(VisibleText.of(text)).isEqualTo(text);
    }

    /** It changes nothing but a symbol right before it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "1", "x", "\u2764\ufe0f", "\u2764 "})
    void selectorWhenItChangesNothingThenIsEscaped(String before) {
        assertThat(VisibleText.of(before + "\ufe0f")).isEqualTo(before + "\\ufe0f");
    }

    @ParameterizedTest
    @CsvSource({"fe0e", "200d", "fe00"})
    void otherCharacterWhenAfterAnEmojiThenIsEscaped(String code) {
        String character = Character.toString(Integer.parseInt(code, 16));

        assertThat(VisibleText.of("\u2764\ufe0f" + character)).isEqualTo("\u2764\ufe0f\\u" + code);
        assertThat(VisibleText.of("\u2764" + character)).isEqualTo("\u2764\\u" + code);
    }

    @Test
    void textWhenItHasEscapesThenIsUnchanged() {
        assertThat(VisibleText.of("{\"a\":\"\u00e9\"}")).isEqualTo("{\"a\":\"\u00e9\"}");
    }

    @Test
    void surrogateWhenAloneThenIsEscaped() {
        assertThat(VisibleText.of("a\ud83d")).isEqualTo("a\\ud83d");
        assertThat(VisibleText.of("\ud83d\ufe0f")).isEqualTo("\\ud83d\\ufe0f");
    }
}
