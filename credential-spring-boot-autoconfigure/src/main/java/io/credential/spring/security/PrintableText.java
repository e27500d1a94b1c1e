package io.credential.spring.security;

/** Makes what a caller sent fit for a line of a log: short, and without characters that a terminal acts on. */
final class PrintableText {

    private static final int MOST_CHARACTERS = 256;

    private PrintableText() {}

    static String of(String sent) {
        StringBuilder text = new StringBuilder();
        sent.chars()
                .limit(MOST_CHARACTERS)
                .forEach(character -> text.append(character > ' ' && character <= '~' ? (char) character : '?'));
        return sent.length() > MOST_CHARACTERS ? text.append("...").toString() : text.toString();
    }
}
