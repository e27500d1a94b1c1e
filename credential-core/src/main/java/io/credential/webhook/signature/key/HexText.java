package io.credential.webhook.signature.key;

import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * Signatures in hexadecimal: written in lower case, read in either case.
 *
 * @since 0.1.0
 */
public final class HexText {

    private HexText() {}

    public static String encode(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    /** Returns null if the text is not exactly this many bytes in hexadecimal. */
    public static byte @Nullable [] decode(String text, int bytes) {
        if (text.length() != 2 * bytes || !text.chars().allMatch(HexFormat::isHexDigit)) {
            return null;
        }
        return HexFormat.of().parseHex(text);
    }
}
