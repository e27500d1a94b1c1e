package io.credential.spring.security;

/** Makes text of a caller safe to log: short, and without control characters. */
final class PrintableText {

    private static final int MAX_CHARACTERS = 256;

    private PrintableText() {}

    static String of(String sent) {
        StringBuilder text = new StringBuilder();
        sent.chars()
                .limit(MAX_CHARACTERS)
                .forEach(character -> text.append(character > ' ' && character <= '~' ? (char) character : '?'));
        return sent.length() > MAX_CHARACTERS ? text.append("...").toString() : text.toString();
    }
}
