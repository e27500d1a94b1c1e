package io.credential.spring.security.internal;

import io.credential.apikey.leak.internal.TokenMask;

/** Makes text of a caller safe to log: short, without control characters, and without the secret of a token. */
public final class PrintableText {

    private static final int MAX_CHARACTERS = 256;

    private PrintableText() {}

    public static String of(String text) {
        String sent = TokenMask.mask(text); // a caller may send a token in place of an id
        StringBuilder printable = new StringBuilder();
        sent.chars()
                .limit(MAX_CHARACTERS)
                .forEach(character -> printable.append(character > ' ' && character <= '~' ? (char) character : '?'));
        return sent.length() > MAX_CHARACTERS ? printable.append("...").toString() : printable.toString();
    }
}
