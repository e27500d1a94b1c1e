package io.credential.webhook.signature;

/** The optional white space of HTTP: spaces and tabs, and none of the others that Unicode has. */
final class Blanks {

    private Blanks() {}

    /** A stretch of text without the blanks around it. */
    static String strip(String text, int start, int end) {
        int from = start;
        int to = end;
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char character) {
        return character == ' ' || character == '\t';
    }
}
