package io.credential.webhook.signature.key;

import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * Signatures in hexadecimal: written in lower case, read in either.
 *
 * @since 0.1.0
 */
public final class HexText {

    private static final HexFormat LOWER = HexFormat.of();

    private HexText() {}

    public static String encode(byte[] bytes) {
        return LOWER.formatHex(bytes);
    }

    /** Null when the text is not this number of bytes in hexadecimal. */
    public static byte @Nullable [] decode(String text, int bytes) {
        if (text.length() != 2 * bytes || !text.chars().allMatch(HexFormat::isHexDigit)) {
            return null;
        }
        return LOWER.parseHex(text);
    }
}
