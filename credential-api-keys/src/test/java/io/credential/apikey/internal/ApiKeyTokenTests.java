package io.credential.apikey.internal;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.management.ThreadMXBean;

import io.credential.apikey.ApiKeyToken;

import static java.lang.management.ManagementFactory.getThreadMXBean;
import static org.assertj.core.api.Assertions.assertThat;

class ApiKeyTokenTests {

    private static final String TOKEN = "bk_live_0123456789abcdef_00112233445566778899aabbccddeeff";

    @Test
    void parseWhenWellFormedThenGivesTheFourParts() {
        assertThat(ApiKeyToken.parse(TOKEN))
                .contains(new ApiKeyToken("bk", "live", "0123456789abcdef", "00112233445566778899aabbccddeeff"));
    }

    @Test
    void parseWhenHexIsOfEitherCaseThenCaseIsKept() {
        assertThat(ApiKeyToken.parse("bk_live_ABCD_eF01"))
                .hasValueSatisfying(token -> assertThat(TokenForm.text(token)).isEqualTo("bk_live_ABCD_eF01"));
    }

    @ParameterizedTest
    @CsvSource({"abcd_ef01, true", "aBcd_ef01, false", "abcd_eF01, false"})
    void isLowerCaseThenBothHexPartsCount(String hexParts, boolean expected) {
        assertThat(TokenForm.isLowerCase(
                        ApiKeyToken.parse("Bk_Live_" + hexParts).orElseThrow()))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "not a token",
                "bk_live_0123456789abcdef",
                "bk_live_01_02_03",
                "_live_01_02",
                "bk__01_02",
                "bk_live__02",
                "bk_live_01_",
                "bk_live_0_02",
                "bk_live_01_020",
                "bk_live_0g_02",
                "bk_live_01_0g",
                "bk_live_01_02 ",
                "bk_live_\u0660\u0661_02",
            })
    void parseWhenMalformedThenEmpty(String text) {
        assertThat(ApiKeyToken.parse(text)).isEmpty();
    }

    @Test
    void parseThenOnlyHexDigitsAreAccepted() {
        String digits = IntStream.rangeClosed(Character.MIN_VALUE, Character.MAX_VALUE)
                .mapToObj(Character::toString)
                .filter(text -> ApiKeyToken.parse("key_live_0" + text + "_00").isPresent())
                .collect(Collectors.joining());

        assertThat(digits).isEqualTo("0123456789ABCDEFabcdef");
    }

    @Test
    void isLowerCaseThenOnlyLettersCount() {
        for (char digit : "0123456789abcdef".toCharArray()) {
            assertThat(TokenForm.isLowerCase(token(digit))).isTrue();
        }
        for (char digit : "ABCDEF".toCharArray()) {
            assertThat(TokenForm.isLowerCase(token(digit))).isFalse();
        }
    }

    private static ApiKeyToken token(char digit) {
        return ApiKeyToken.parse("key_live_0" + digit + "_00").orElseThrow();
    }

    @Test
    void parseWhenTooLongThenEmpty() {
        String head = "key_live_01_";

        assertThat(ApiKeyToken.parse(head + "0".repeat(500))).isPresent();
        assertThat(ApiKeyToken.parse("x" + head + "0".repeat(500))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "_", "bk_live_01_0"})
    void parseWhenTextIsHugeThenMemoryIsBounded(String piece) {
        for (String text : new String[] {piece.repeat(512 / piece.length()), piece.repeat(1_000_000)}) {
            allocated(text); // loads the classes

            assertThat(allocated(text)).isLessThan(8L * ApiKeyToken.MAX_LENGTH);
        }
    }

    private static long allocated(String text) {
        ThreadMXBean threads = (ThreadMXBean) getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        ApiKeyToken.parse(text);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void toStringThenLeavesTheSecretOut() {
        assertThat(ApiKeyToken.parse(TOKEN).orElseThrow().toString())
                .contains("0123456789abcdef")
                .doesNotContain("00112233445566778899aabbccddeeff");
    }
}
