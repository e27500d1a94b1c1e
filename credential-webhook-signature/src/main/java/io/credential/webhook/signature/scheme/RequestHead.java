package io.credential.webhook.signature.scheme;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

/**
 * A request without its body. Immutable: the headers are not copied, and must not be changed.
 *
 * @since 0.1.0
 */
public final class RequestHead {

    private final String url;
    private final @Nullable Map<String, List<String>> headers;

    /**
     * @param url with its query, as the server sees it; empty if it is not known
     * @param headers all lines of each header by its name; names are compared without regard to case
     */
    public RequestHead(String url, @Nullable Map<String, List<String>> headers) {
        this.url = url;
        this.headers = headers;
    }

    /**
     * Returns the URL with its query, as the server sees it; empty if it is not known. Behind a proxy, it is the one that the
     * sender called only if the server evaluates forwarded headers.
     */
    public String url() {
        return url;
    }

    /** Returns all lines of a header, in their order; empty if there is none. */
    public List<String> lines(String name) {
        List<String> lines = new ArrayList<>(1);
        if (headers != null) {
            headers.forEach((candidate, values) -> {
                // Some clients store the status line under null.
                if (candidate != null && values != null && isSame(candidate, name)) {
                    for (String line : values) {
                        if (line != null) {
                            lines.add(line);
                        }
                    }
                }
            });
        }
        return lines;
    }

    /** Compares the lengths first, since most headers are others. */
    private static boolean isSame(String candidate, String name) {
        return candidate.length() == name.length()
                && (candidate.equals(name) || candidate.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns the only line of a header.
     *
     * @param maxLength in characters
     * @throws WebhookException {@code webhook/missing-header} if there is none, {@code webhook/bad-header-format} if there
     *     are several, or it is longer
     */
    public String required(String name, int maxLength) throws WebhookException {
        String line = optional(name, maxLength);
        if (line == null) {
            throw new WebhookException(WebhookErrorCode.MISSING_HEADER, "The request has no header " + name);
        }
        return line;
    }

    /**
     * Returns the only line of a header, or null if there is none.
     *
     * @param maxLength in characters
     * @throws WebhookException {@code webhook/bad-header-format} if there are several, or it is longer
     */
    public @Nullable String optional(String name, int maxLength) throws WebhookException {
        List<String> lines = lines(name);
        if (lines.isEmpty()) {
            return null;
        }
        if (lines.size() > 1) {
            throw bad(name, "there is more than one");
        }
        String line = lines.get(0);
        if (line.length() > maxLength) {
            throw bad(name, "it is longer than " + maxLength + " characters");
        }
        return line;
    }

    private static WebhookException bad(String name, String why) {
        return new WebhookException(
                WebhookErrorCode.BAD_HEADER_FORMAT, "The header " + name + " cannot be used: " + why);
    }
}
