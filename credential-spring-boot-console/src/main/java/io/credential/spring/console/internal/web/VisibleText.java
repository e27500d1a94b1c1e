package io.credential.spring.console.internal.web;

import java.util.HexFormat;

/**
 * Makes characters visible that change how others are displayed, that are not displayed at all, or that look like a space:
 * somebody else has stored the text, and could otherwise make it look like a different one.
 */
final class VisibleText {

    private static final HexFormat HEX = HexFormat.of();

    private VisibleText() {}

    /**
     * Returns the text with escapes such as {@code \}{@code u202e} in place of these characters. A backslash before a {@code u}
     * is escaped too, so that no text looks like an escape.
     */
    static String of(String text) {
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            if (!isVisible(text, at)) {
                return escape(text);
            }
        }
        return text;
    }

    private static String escape(String text) {
        StringBuilder visible = new StringBuilder(text.length() + 16);
        int character;
        for (int at = 0; at < text.length(); at += Character.charCount(character)) {
            character = text.codePointAt(at);
            if (isVisible(text, at)) {
                visible.appendCodePoint(character);
            } else if (Character.isBmpCodePoint(character)) {
                visible.append("\\u").append(HEX.toHexDigits((char) character));
            } else {
                visible.append("\\u{").append(Integer.toHexString(character)).append('}');
            }
        }
        return visible.toString();
    }

    private static boolean isVisible(String text, int at) {
        int character = text.codePointAt(at);
        return switch (character) {
            case ' ', '\n', '\t' -> true;
            case '\\' -> !text.startsWith("u", at + 1);
            default -> isVisible(character);
        };
    }

    private static boolean isVisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SPACE_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> !isBlank(character);
        };
    }

    /** Whether this is a letter, mark or symbol without a shape: a filler, a joiner, a blank, or a variation selector. */
    private static boolean isBlank(int character) {
        return switch (character) {
            case 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x2800, 0x3164, 0xffa0 -> true;
            default ->
                isBetween(character, 0x180b, 0x180f)
                        || isBetween(character, 0xfe00, 0xfe0f)
                        || isBetween(character, 0xe0100, 0xe01ef);
        };
    }

    private static boolean isBetween(int character, int first, int last) {
        return character >= first && character <= last;
    }
}
