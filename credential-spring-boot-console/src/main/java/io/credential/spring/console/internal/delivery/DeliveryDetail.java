package io.credential.spring.console.internal.delivery;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;

/**
 * A delivery with its attempts.
 *
 * @param url where it is sent, as the operator may see it; null if the endpoint was removed
 * @param pausedAt since when the endpoint is paused; null if it is not
 * @param attempts the latest first, one more than {@link #SHOWN} if there are as many
 */
public record DeliveryDetail(
        Delivery delivery, @Nullable String url, @Nullable Instant pausedAt, List<DeliveryAttempt> attempts) {

    private static final Pattern SECRET =
            Pattern.compile("(?i).*(signature|authorization|cookie|token|secret|password|api-?key).*");

    /** How many attempts are shown at most. */
    public static final int SHOWN = 25;

    /** Returns the attempts that are shown. */
    public List<DeliveryAttempt> latestAttempts() {
        return attempts.subList(0, Math.min(SHOWN, attempts.size()));
    }

    /** Returns the headers of a request; what proves who sent it is masked. */
    public static Map<String, String> masked(Map<String, String> headers) {
        Map<String, String> masked = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> masked.put(name, SECRET.matcher(name).matches() ? "***" : value));
        return masked;
    }

    /** Returns the id of the trace of the dispatch; null if it was not traced. */
    public @Nullable String traceId() {
        return attempts.stream()
                .map(attempt -> attempt.requestHeaders().entrySet().stream()
                        .filter(header -> header.getKey().equalsIgnoreCase("traceparent"))
                        .map(header -> header.getValue().split("-", 4))
                        .filter(parts -> parts.length == 4)
                        .map(parts -> parts[1])
                        .findFirst()
                        .orElse(""))
                .filter(id -> !id.isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** Returns a command that sends a similar request, with placeholders for secrets and the body. */
    public String curl() {
        Map<String, String> headers =
                attempts.isEmpty() ? Map.of() : masked(attempts.get(0).requestHeaders());
        String options = headers.entrySet().stream()
                .map(header -> " \\\n  -H " + quoted(header.getKey() + ": " + header.getValue()))
                .collect(Collectors.joining());
        return "curl -X POST " + quoted(url == null ? "https://example.org/" : url) + options
                + " \\\n  --data-binary @payload.json";
    }

    /** Quotes a text for a shell of Unix. */
    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
