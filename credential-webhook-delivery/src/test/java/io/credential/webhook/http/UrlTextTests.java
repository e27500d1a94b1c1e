package io.credential.webhook.http;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.http.UnsafeDestinationException.Reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the owner of a URL is told about a mistake in it. */
class UrlTextTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '"',
            value = {
                "\"https://a.example/ \" ~ Character 19 of the URL is a space; remove it, or write it as %20",
                "\" https://a.example/\" ~ Character 1 of the URL is a space; remove it",
                "https://a.example/{id} ~ Character 19 of the URL is '{' (U+007B), which must be written as %7B",
                "https://a.example/?x=1|2 ~ Character 23 of the URL is '|' (U+007C), which must be written as %7C",
                "https://a.example/#a#b ~ Character 21 of the URL is '#' (U+0023), which must be written as %23",
                "https://a\\b.example/ ~ Character 10 of the URL is '\\' (U+005C), which neither the scheme nor the host may"
                        + " contain",
                "https://{tenant}.example/ ~ Character 9 of the URL is '{' (U+007B), which neither the scheme nor the"
                        + " host may contain",
                "<https://a.example/> ~ Character 1 of the URL is '<' (U+003C), which neither the scheme nor the host may"
                        + " contain",
                "https://a%.example/ ~ Character 10 of the URL is '%' (U+0025), which neither the scheme nor the host may"
                        + " contain",
                "https://a.example/50%/x ~ Character 21 of the URL is '%' (U+0025) without two hexadecimal"
                        + " digits after it; write a percent sign as %25",
                "https://b\u00fccher.example/ ~ Character 10 of the URL is U+00FC, which is not ASCII; write the host"
                        + " in its xn-- form and percent-encode the rest",
                "https://a.example/\u202esecret ~ Character 19 of the URL is U+202E, which is not ASCII; write the"
                        + " host in its xn-- form and percent-encode the rest",
                "https://a.example/\ud83d\ude00 ~ Character 19 of the URL is U+1F600, which is not ASCII; write the"
                        + " host in its xn-- form and percent-encode the rest",
                "https://[::1 ~ The URL is incomplete: expected closing bracket for IPv6 address at its end",
                "https:// ~ The URL is incomplete: expected authority at its end",
                "https://[:::1]/ ~ Character 12 of the URL is ':' (U+003A), which is not allowed there: expected hex digits or IPv4 address"
            })
    void parseWhenCharacterIsWrongThenPositionIsTold(String url, String message) {
        assertThatThrownBy(() -> UrlText.parse(url))
                .isInstanceOfSatisfying(
                        UnsafeDestinationException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED_URL))
                .hasMessage(message)
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\t", "\n", "\r", "\0", "\u007f"})
    void parseWhenCharacterIsControlThenOnlyItsCode(String control) {
        assertThatThrownBy(() -> UrlText.parse("https://a.example/" + control))
                .hasMessageStartingWith("Character 19 of the URL is U+00")
                .hasMessageNotContaining(control);
    }
}
