package io.credential.seal.internal;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RowMacTests {

    private static final String HEX = "0000000000000000000000000000000000000000000000000000000000000000";

    private final RowMac mac = new RowMac(TestKeys.keyring("k1", "k1"));

    /** Computed by another implementation of HKDF and HMAC-SHA3-256. */
    @Test
    void computeThenGivesAKnownAnswer() {
        String text = "m1.k1.6c3c66216eb1c0702c7e8fe2d01e9af106c74c8aa7c4b5a7f12f902e80555a54";

        assertThat(mac.compute(row())).isEqualTo(text);
        assertThat(mac.verify(row(), text)).isTrue();
        assertThat(mac.isCurrent(text)).isTrue();
    }

    @Test
    void verifyWhenTheTableDiffersThenFalse() {
        assertThat(mac.verify(new RowValues("b").text("x", "y"), mac.compute(new RowValues("a").text("x", "y"))))
                .isFalse();
    }

    @Test
    void verifyThenNullDiffersFromEmptyAndFromZero() {
        RowValues nothing = new RowValues("t").text("x", null);

        assertThat(mac.verify(new RowValues("t").text("x", ""), mac.compute(nothing)))
                .isFalse();
        assertThat(mac.verify(new RowValues("t").number("x", 0L), mac.compute(nothing)))
                .isFalse();
        assertThat(mac.verify(new RowValues("t").number("x", null), mac.compute(nothing)))
                .isTrue();
    }

    @Test
    void verifyWhenBytesMoveBetweenFieldsThenFalse() {
        String text = mac.compute(new RowValues("t").text("a", "12").text("b", "34"));

        assertThat(mac.verify(new RowValues("t").text("a", "123").text("b", "4"), text))
                .isFalse();
        assertThat(mac.verify(new RowValues("t").text("a", "1").text("b", "234"), text))
                .isFalse();
        assertThat(mac.verify(new RowValues("t").text("a1", "2").text("b", "34"), text))
                .isFalse();
        assertThat(mac.verify(new RowValues("t").text("b", "34").text("a", "12"), text))
                .isFalse();
        assertThat(mac.verify(new RowValues("t").text("a", "12").text("b", "34").text("c", null), text))
                .isFalse();
        assertThat(mac.verify(new RowValues("ta").text("", "12").text("b", "34"), text))
                .isFalse();
    }

    @Test
    void verifyWhenFieldIsLongerThanTheBufferThenCovered() {
        String text = mac.compute(new RowValues("t").text("a", "x".repeat(10_000)));

        assertThat(mac.verify(new RowValues("t").text("a", "x".repeat(10_000)), text))
                .isTrue();
        assertThat(mac.verify(new RowValues("t").text("a", "x".repeat(9_999) + "y"), text))
                .isFalse();
    }

    @Test
    void verifyWhenAnyBitOfTheMacIsFlippedThenRefused() {
        byte[] text = mac.compute(row()).getBytes(StandardCharsets.ISO_8859_1);
        int body = "m1.k1.".length();
        for (int bit = 8 * body; bit < 8 * text.length; bit++) {
            text[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThat(mac.verify(row(), new String(text, StandardCharsets.ISO_8859_1)))
                    .isFalse();
            text[bit / 8] ^= (byte) (1 << (bit % 8));
        }
        assertThat(mac.verify(row(), new String(text, StandardCharsets.ISO_8859_1)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "m1",
                "m1.k1",
                "m1.k1.",
                "m1.k1." + "00",
                "m1.k9.00",
                "m2.k1." + HEX,
                "m1.K1." + HEX,
                "m1.." + HEX,
                "m1.k1." + HEX + "0"
            })
    void verifyWhenTheMacIsMalformedThenFalse(String malformed) {
        assertThat(mac.verify(row(), malformed)).isFalse();
    }

    @Test
    void verifyWhenTheMacIsUpperCaseOrHugeThenFalse() {
        String text = mac.compute(row());

        assertThat(mac.verify(row(), "m1.k1." + text.substring(6).toUpperCase(Locale.ROOT)))
                .isFalse();
        assertThat(mac.verify(row(), text + "0".repeat(1 << 20))).isFalse();
    }

    @Test
    void verifyWhenTheKeyIsUnknownThenSaysWhichOne() {
        String text = new RowMac(TestKeys.keyring("k2", "k2")).compute(row());

        assertThatExceptionOfType(UnknownSealKeyException.class)
                .isThrownBy(() -> mac.verify(row(), text))
                .satisfies(e -> assertThat(e.keyId()).isEqualTo("k2"))
                .withMessageContaining("k2");
    }

    @Test
    void macWhenRotatedThenOldKeyVerifiesAndNewOneComputes() {
        String old = mac.compute(row());
        RowMac rotated = new RowMac(TestKeys.keyring("k2", "k1", "k2"));

        assertThat(rotated.verify(row(), old)).isTrue();
        assertThat(rotated.isCurrent(old)).isFalse();
        assertThat(rotated.compute(row())).startsWith("m1.k2.");
        assertThat(rotated.verify(row(), old.replace("m1.k1.", "m1.k2."))).isFalse();
    }

    private static RowValues row() {
        return new RowValues("api_keys")
                .text("id", "00ff")
                .number("revoked_at", null)
                .number("created_at", 1_700_000_000_000L)
                .text("note", "");
    }
}
