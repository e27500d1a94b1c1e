package io.credential.spring.autoconfigure.audit.internal;

import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * Builds a line of {@code key=value} pairs. Values from callers are quoted and escaped, so that they can forge neither
 * pairs nor lines.
 */
final class AuditLine {

    /** Enough for the ids of a whole batch of purged keys. */
    private static final int MAX_CHARACTERS = 8192;

    private final StringBuilder line = new StringBuilder();

    /** Adds a pair, unless the value is null. */
    AuditLine with(String key, @Nullable Object value) {
        if (value != null) {
            if (!line.isEmpty()) {
                line.append(' ');
            }
            append(key);
            line.append('=');
            append(value.toString());
        }
        return this;
    }

    private void append(String text) {
        if (!text.isEmpty() && text.length() <= MAX_CHARACTERS && text.chars().allMatch(AuditLine::isPlain)) {
            line.append(text);
            return;
        }
        line.append('"');
        text.chars().limit(MAX_CHARACTERS).forEach(this::appendEscaped);
        if (text.length() > MAX_CHARACTERS) {
            line.append("...");
        }
        line.append('"');
    }

    private void appendEscaped(int character) {
        if (character == '"' || character == '\\') {
            line.append('\\').append((char) character);
        } else if (character >= ' ' && character <= '~') {
            line.append((char) character);
        } else {
            // Terminals and log viewers also interpret control characters, direction marks and separators.
            line.append("\\u").append(HexFormat.of().toHexDigits((char) character));
        }
    }

    private static boolean isPlain(int character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || "-._:/@+,*".indexOf(character) >= 0;
    }

    @Override
    public String toString() {
        return line.toString();
    }
}
