package io.credential.seal.internal;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The parts of the form {@code <format>.<keyId>.<body>}, which cells and row MACs share.
 *
 * @param format two characters
 * @param keyId a well-formed key id
 * @param body not yet decoded
 */
record SealedText(String format, String keyId, String body) {

    private static final int FORMAT_LENGTH = 2;
    private static final int MAX_KEY_ID_LENGTH = 32;

    /** Returns null if the text has another form. */
    static @Nullable SealedText parse(String text) {
        int keyStart = FORMAT_LENGTH + 1;
        if (text.length() <= keyStart || text.charAt(FORMAT_LENGTH) != '.') {
            return null;
        }
        int keyEnd = text.indexOf('.', keyStart);
        if (keyEnd < 0) {
            return null;
        }
        String keyId = text.substring(keyStart, keyEnd);
        return isKeyId(keyId)
                ? new SealedText(text.substring(0, FORMAT_LENGTH), keyId, text.substring(keyEnd + 1))
                : null;
    }

    static boolean isKeyId(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= MAX_KEY_ID_LENGTH;
    }

    static String head(String format, String keyId) {
        return format + "." + Objects.requireNonNull(keyId, "The key id must not be null") + ".";
    }

    @Override
    public String toString() {
        return "SealedText[" + head(format, keyId) + "..]";
    }
}
