package io.credential.apikey.leak.internal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TokenMaskTests {

    private static final String START = "bk_live_0011223344556677_";
    private static final String SECRET = "00112233445566778899aabbccddeeff";
    private static final String TOKEN = START + SECRET;

    @Test
    void maskWhenThereIsTokenThenOnlyItsSecretIsMasked() {
        assertThat(TokenMask.mask("Call with {\"key\":\"" + TOKEN + "\"} failed"))
                .isEqualTo("Call with {\"key\":\"bk_live_0011223344556677_***\"} failed");
        assertThat(TokenMask.isIn("key=" + TOKEN)).isTrue();
    }

    @Test
    void maskWhenThereAreSeveralTokensThenAllAreMasked() {
        assertThat(TokenMask.mask(TOKEN + "," + TOKEN + "\n" + TOKEN.replace("live", "test")))
                .isEqualTo(START + "***," + START + "***\n" + START.replace("live", "test") + "***");
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 17, 64, 65, 5_000})
    void maskWhenSecretHasAnyLengthThenNothingOfItRemains(int bytes) {
        assertThat(TokenMask.mask(START + "aF".repeat(bytes))).isEqualTo(START + "***");
    }

    /** Tokens that other code has cut off or continued. */
    @ParameterizedTest
    @CsvSource({
        "bk_live_0011223344556677_0011..., bk_live_0011223344556677_***...",
        "bk_live_0011223344556677_001, bk_live_0011223344556677_***",
        "bk_live_0011223344556677_00112233445566778899aabbccddeeff_more, bk_live_0011223344556677_***_more",
        "x_bk_live_0011223344556677_00112233445566778899aabbccddeeff, x_bk_live_0011223344556677_***",
        "$_+_0011223344556677_00, $_+_0011223344556677_***"
    })
    void maskWhenTokenIsIncompleteThenSecretIsMasked(String text, String masked) {
        assertThat(TokenMask.mask(text)).isEqualTo(masked);
    }

    @ParameterizedTest
    @CsvSource({
        "/a?k=bk%5Flive%5F0011223344556677%5F00112233&b=1, /a?k=bk%5Flive%5F0011223344556677%5F***&b=1",
        "bk%5flive%5f0011223344556677%5f%30%30AF, bk%5flive%5f0011223344556677%5f***",
        "bk%255Flive%255F0011223344556677%255F0011%zz, bk%255Flive%255F0011223344556677%255F***%zz",
        "%62k_live_001122334455667%37_00, %62k_live_001122334455667%37_***",
        "100%_bk_live_0011223344556677_00%, 100%_bk_live_0011223344556677_***%",
        "BK_LIVE_00112233445566AA_AABBCC, BK_LIVE_00112233445566AA_***"
    })
    void maskWhenTokenIsEncodedThenSecretIsMasked(String text, String masked) {
        assertThat(TokenMask.mask(text)).isEqualTo(masked);
        assertThat(TokenMask.isIn(text)).isTrue();
    }

    @Test
    void maskWhenIdIsUpToThirtyTwoBytesThenSecretIsMasked() {
        assertThat(TokenMask.mask("p_n_" + "AB".repeat(32) + "_00")).isEqualTo("p_n_" + "AB".repeat(32) + "_***");
        assertThat(TokenMask.mask("p_" + "n".repeat(64) + "_" + "ab".repeat(8) + "_00"))
                .endsWith("_***");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "_",
                "____",
                "bk_live_0011223344556677_",
                "bk_live_0011223344556677",
                "live_0011223344556677_00112233445566778899aabbccddeeff",
                "_live_0011223344556677_00112233445566778899aabbccddeeff",
                "bk__0011223344556677_00112233445566778899aabbccddeeff",
                "bk_live_00112233445566_00112233445566778899aabbccddeeff",
                "bk live_0011223344556677_00112233445566778899aabbccddeeff",
                "idx_webhook_deliveries_due_at_2026_11_23",
                "550e8400-e29b-41d4-a716-446655440000",
                "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
            })
    void maskWhenThereIsNoTokenThenSameText(String text) {
        assertThat(TokenMask.mask(text)).isSameAs(text);
        assertThat(TokenMask.isIn(text)).isFalse();
    }

    /** Would not end within the time of a build if the time grew with the square of the length. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "_",
                "a",
                "0",
                "_0011223344556677",
                "_a_0011223344556677",
                "%25",
                "%5F0011223344556677",
                "bk_live_0011223344556677_0"
            })
    void maskWhenTextIsLongAndRepetitiveThenEnds(String part) {
        String text = part.repeat(4_000_000 / part.length());

        assertThat(TokenMask.mask(text)).doesNotContain("_0011223344556677_0b");
    }
}
