package io.credential.spring.autoconfigure.audit;

import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * {@code key=value} pairs on one line. What callers can influence is quoted and escaped, so that it can forge neither
 * a pair nor a line.
 */
final class AuditLine {

    /** Room for the ids of a whole batch of purged keys. */
    private static final int MOST_CHARACTERS = 8192;

    private final StringBuilder line = new StringBuilder();

    /** Adds a pair; one without a value is left out. */
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
        if (!text.isEmpty() && text.length() <= MOST_CHARACTERS && text.chars().allMatch(AuditLine::isPlain)) {
            line.append(text);
            return;
        }
        line.append('"');
        text.chars().limit(MOST_CHARACTERS).forEach(this::appendEscaped);
        if (text.length() > MOST_CHARACTERS) {
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
            // Terminals and log viewers act on more than line ends: controls, direction marks, separators.
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
