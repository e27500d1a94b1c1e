package io.credential.secret.internal;

import java.util.HexFormat;

/**
 * Text whose percent-encoded ASCII characters are decoded, also those that were encoded several times, and the position
 * that each character had.
 */
final class PercentDecoded {

    /** Text that was encoded more often was not encoded by accident. */
    private static final int MAX_ROUNDS = 4;

    private final String text;
    private final int[] positions;

    /** @param positions where each character, and the end, is in the original; empty if nothing was decoded */
    private PercentDecoded(String text, int... positions) {
        this.text = text;
        this.positions = positions;
    }

    static PercentDecoded of(String text) {
        PercentDecoded decoded = new PercentDecoded(text);
        for (int round = 0; round < MAX_ROUNDS; round++) {
            if (!decoded.isEncoded()) {
                return decoded;
            }
            decoded = decoded.decodedOnce();
        }
        return decoded;
    }

    String text() {
        return text;
    }

    /** Returns where a character of the decoded text, or its end, begins in the original. */
    int position(int index) {
        return positions.length == 0 ? index : positions[index];
    }

    private boolean isEncoded() {
        for (int index = text.indexOf('%'); index >= 0; index = text.indexOf('%', index + 1)) {
            if (encodedAt(index) >= 0) {
                return true;
            }
        }
        return false;
    }

    private PercentDecoded decodedOnce() {
        StringBuilder decoded = new StringBuilder(text.length());
        int[] origins = new int[text.length() + 1];
        int index = 0;
        while (index < text.length()) {
            origins[decoded.length()] = position(index);
            int code = encodedAt(index);
            decoded.append(code < 0 ? text.charAt(index) : (char) code);
            index += code < 0 ? 1 : 3;
        }
        origins[decoded.length()] = position(index);
        return new PercentDecoded(decoded.toString(), origins);
    }

    /** Returns the ASCII character that is encoded at an index, or -1. */
    private int encodedAt(int index) {
        if (text.charAt(index) != '%'
                || index + 2 >= text.length()
                || !HexFormat.isHexDigit(text.charAt(index + 1))
                || !HexFormat.isHexDigit(text.charAt(index + 2))) {
            return -1;
        }
        int code = HexFormat.fromHexDigits(text, index + 1, index + 3);
        return code < 0x80 ? code : -1;
    }
}
