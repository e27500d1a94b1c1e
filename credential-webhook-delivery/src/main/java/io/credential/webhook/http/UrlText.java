package io.credential.webhook.http;

import java.net.URI;
import java.net.URISyntaxException;

import io.credential.webhook.http.UnsafeDestinationException.Reason;

/**
 * Parses the text of a URL as RFC 3986 defines it. Exceptions name the first invalid character and its position, counted
 * from 1, but nothing else of the URL, which may contain a secret.
 */
final class UrlText {

    static final int MAX_LENGTH = 2048;

    /** The visible ASCII characters that no part of a URL may contain (RFC 3986, appendix A). */
    private static final String NEVER = "\"<>\\^`{|}";

    private UrlText() {}

    /** @throws UnsafeDestinationException if the text is not a URL of visible ASCII characters */
    static URI parse(String text) {
        requireCharacters(text);
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw malformed(objection(text, e)); // without the cause: its message contains the URL
        }
    }

    /** @throws UnsafeDestinationException if the text is too long, or contains a character that no URL may contain */
    static void requireCharacters(String text) {
        if (text.length() > MAX_LENGTH) {
            throw malformed("The URL is longer than " + MAX_LENGTH + " characters");
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == 0x7f) {
                throw malformed(described(text, i) + "; remove it"
                        + (i < endOfAuthority(text) ? "" : ", or write it as " + escaped(c)));
            }
            if (NEVER.indexOf(c) >= 0) {
                throw malformed(escape(text, i));
            }
            if (c > 0x7f) {
                throw malformed(described(text, i) + ", which is not ASCII;"
                        + " write the host in its xn-- form and percent-encode the rest");
            }
        }
    }

    static UnsafeDestinationException malformed(String message) {
        return new UnsafeDestinationException(Reason.MALFORMED_URL, message);
    }

    private static String objection(String text, URISyntaxException e) {
        int index = e.getIndex();
        if (index < 0 || index >= text.length()) {
            return "The URL is incomplete: " + lowerCaseFirst(e.getReason()) + " at its end";
        }
        char c = text.charAt(index);
        if (c == '%' && index >= endOfAuthority(text)) {
            return described(text, index) + " without two hexadecimal digits after it; write a percent sign as %25";
        }
        return c == '%' || e.getReason().startsWith("Illegal character")
                ? escape(text, index)
                : described(text, index) + ", which is not allowed there: " + lowerCaseFirst(e.getReason());
    }

    private static String escape(String text, int index) {
        return described(text, index)
                + (index < endOfAuthority(text)
                        ? ", which neither the scheme nor the host may contain"
                        : ", which must be written as " + escaped(text.charAt(index)));
    }

    /** Returns where the parts begin in which characters can be percent-encoded. */
    private static int endOfAuthority(String text) {
        int separator = text.indexOf("://");
        int end = separator < 0 ? 0 : separator + 3;
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static String described(String text, int index) {
        int c = text.codePointAt(index);
        String code = String.format("U+%04X", c);
        String shown = c == ' ' ? "a space" : c > ' ' && c < 0x7f ? "'" + (char) c + "' (" + code + ")" : code;
        return "Character " + (index + 1) + " of the URL is " + shown;
    }

    private static String escaped(char c) {
        return String.format("%%%02X", (int) c);
    }

    private static String lowerCaseFirst(String text) {
        return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
