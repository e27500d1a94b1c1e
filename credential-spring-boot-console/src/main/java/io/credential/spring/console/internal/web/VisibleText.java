package io.credential.spring.console.internal.web;

/**
 * Makes characters visible that change how others are displayed, or that are not displayed at all: somebody else has stored
 * the text, and could otherwise make it look like a different one.
 */
final class VisibleText {

    private VisibleText() {}

    /** Returns the text with escapes such as {@code \}{@code u202e} in place of these characters. */
    static String of(String text) {
        return text.codePoints().allMatch(VisibleText::isVisible) ? text : escape(text);
    }

    private static String escape(String text) {
        StringBuilder visible = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(character -> {
            if (isVisible(character)) {
                visible.appendCodePoint(character);
            } else {
                visible.append(character > 0xffff ? "\\u{%x}".formatted(character) : "\\u%04x".formatted(character));
            }
        });
        return visible.toString();
    }

    private static boolean isVisible(int character) {
        if (character == '\n' || character == '\t') {
            return true;
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
