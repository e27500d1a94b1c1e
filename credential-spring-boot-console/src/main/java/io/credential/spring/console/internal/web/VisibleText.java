package io.credential.spring.console.internal.web;

import java.util.HexFormat;

/**
 * Makes characters visible that change how others are displayed, that are not displayed at all, or that look like a space:
 * somebody else has stored the text, and could otherwise make it look like a different one.
 */
final class VisibleText {

    private static final HexFormat HEX = HexFormat.of();

    /** Makes a picture of the symbol before it. */
    private static final int EMOJI_SELECTOR = 0xfe0f;

    private VisibleText() {}

    /**
     * Returns the text with escapes such as {@code \}{@code u202e} in place of these characters. A backslash stays: JSON has
     * such escapes itself, and must be copied as it is.
     */
    static String of(String text) {
        return text.codePoints().allMatch(VisibleText::isShown) ? text : escape(text);
    }

    private static String escape(String text) {
        StringBuilder visible = new StringBuilder(text.length() + 16);
        int before = 0;
        for (int character : text.codePoints().toArray()) {
            if (isShown(character)
                    || (character == EMOJI_SELECTOR && Character.getType(before) == Character.OTHER_SYMBOL)) {
                visible.appendCodePoint(character);
            } else if (Character.isBmpCodePoint(character)) {
                visible.append("\\u").append(HEX.toHexDigits((char) character));
            } else {
                visible.append("\\u{").append(Integer.toHexString(character)).append('}');
            }
            before = character;
        }
        return visible.toString();
    }

    private static boolean isShown(int character) {
        return character == ' ' || character == '\n' || character == '\t' || isVisible(character);
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
