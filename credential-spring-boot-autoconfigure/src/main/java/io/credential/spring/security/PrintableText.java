package io.credential.spring.security;

/** Makes text of a caller safe to log: short, and without control characters. */
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
