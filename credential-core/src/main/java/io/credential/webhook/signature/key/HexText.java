package io.credential.webhook.signature.key;

import java.util.Arrays;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * Signatures in hexadecimal: written in lower case, read in either case.
 *
 * @since 0.1.0
 */
public final class HexText {

    /** The values of the digits by character; negative for all others. */
    private static final byte[] DIGITS = digits();

    private HexText() {}

    public static String encode(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns null if the text is not exactly this many bytes in hexadecimal. */
    public static byte @Nullable [] decode(String text, int bytes) {
        if (text.length() != 2 * bytes) {
            return null;
        }
        byte[] decoded = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            int value = digit(text.charAt(2 * i)) << 4 | digit(text.charAt(2 * i + 1));
            if (value < 0) {
                return null;
            }
            decoded[i] = (byte) value;
        }
        return decoded;
    }

    /** Returns a negative number if the character is not a digit. What is presented is not secret, so a table may be used. */
    private static int digit(char character) {
        return character < DIGITS.length ? DIGITS[character] : -1;
    }

    private static byte[] digits() {
        byte[] digits = new byte['f' + 1];
        Arrays.fill(digits, (byte) -1);
        for (byte value = 0; value < 16; value++) {
            char digit = HexFormat.of().toLowHexDigit(value);
            digits[digit] = value;
            digits[Character.toUpperCase(digit)] = value;
        }
        return digits;
    }
}
