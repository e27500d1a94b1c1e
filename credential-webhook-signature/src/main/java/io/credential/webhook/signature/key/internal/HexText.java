package io.credential.webhook.signature.key.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/** Signatures in hexadecimal: written in lower case, read in either case. */
public final class HexText {

    /** The values of the digits by character; negative for all others. */
    private static final byte[] DIGITS = digits();

    private HexText() {}

    public static String encode(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns null if the text is not exactly this many bytes in hexadecimal. */
    public static byte @Nullable [] decode(String text, int bytes) {
        // Other characters become question marks, which are not digits; a surrogate pair becomes a single one.
        byte[] digits = text.getBytes(StandardCharsets.ISO_8859_1);
        if (digits.length != 2 * bytes) {
            return null;
        }
        byte[] decoded = new byte[bytes];
        int all = 0;
        for (int i = 0; i < bytes; i++) {
            // Presented signatures are not secret, so a table may be used.
            int value = DIGITS[digits[2 * i] & 0xFF] << 4 | DIGITS[digits[2 * i + 1] & 0xFF];
            decoded[i] = (byte) value;
            all |= value;
        }
        return all < 0 ? null : decoded;
    }

    private static byte[] digits() {
        byte[] digits = new byte[256];
        Arrays.fill(digits, (byte) -1);
        for (byte value = 0; value < 16; value++) {
            char digit = HexFormat.of().toLowHexDigit(value);
            digits[digit] = value;
            digits[Character.toUpperCase(digit)] = value;
        }
        return digits;
    }
}
