package io.credential.apikey.leak.internal;

import org.jspecify.annotations.Nullable;

import io.credential.secret.internal.TokenText;

/**
 * Tells that a text was found in public.
 *
 * @param token the text; need not be a token
 * @param source the kind of place, up to {@value #MAX_SOURCE} characters; null if unknown
 * @param url the place, up to {@value #MAX_URL} characters, without secrets; null if unknown
 */
public record LeakReport(
        String token, @Nullable String source, @Nullable String url) {

    private static final int MAX_SOURCE = 64;
    private static final int MAX_URL = 512;

    /** Shortens source and URL, and masks tokens in them: both are audited and sent. */
    public LeakReport {
        source = shown(source, MAX_SOURCE);
        url = shown(url, MAX_URL);
    }

    private static @Nullable String shown(@Nullable String text, int maxLength) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        String masked = TokenText.mask(text.length() > 4 * maxLength ? text.substring(0, 4 * maxLength) : text);
        StringBuilder shown = new StringBuilder();
        masked.codePoints()
                .limit(maxLength)
                .map(character -> character < ' ' || character == 0x7f ? '?' : character)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }

    /** Leaves out the token. */
    @Override
    public String toString() {
        return "LeakReport[source=" + source + ", url=" + url + "]";
    }
}
