package io.credential.spring.console.internal.delivery;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.Formats;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.http.FailureReason;

/**
 * The conditions on deliveries, as the form has them and the URL contains them.
 *
 * @param query the conditions, without the cursor
 */
public record DeliveryFilter(DeliveryQuery query) {

    private static final int LOWEST_STATUS = 100;
    private static final int HIGHEST_STATUS = 599;

    /**
     * Returns the filter of a request.
     *
     * @throws ConsoleException if a value is malformed
     */
    static DeliveryFilter of(Parameters parameters) {
        return new DeliveryFilter(new DeliveryQuery(
                parameters.text("endpoint").orElse(null),
                parameters.text("type").orElse(null),
                parameters.text("status").map(DeliveryFilter::status).orElse(null),
                parameters
                        .number("response")
                        .map(DeliveryFilter::responseStatus)
                        .orElse(null),
                parameters.text("reason").map(DeliveryFilter::reason).orElse(null),
                parameters.text("audience").orElse(null),
                parameters.time("from").orElse(null),
                parameters.time("before").orElse(null),
                parameters.text("event").orElse(null),
                parameters.text("key").orElse(null),
                parameters
                        .number("attempts")
                        .map(number -> (int) Math.min(number, Integer.MAX_VALUE))
                        .orElse(0),
                DeliveryQuery.DEFAULT_LIMIT,
                null));
    }

    private static DeliveryStatus status(String text) {
        return DeliveryStatus.ofText(text)
                .orElseThrow(() ->
                        ConsoleException.badRequest("'status' must be one of: pending, in-flight, delivered, dead."));
    }

    private static FailureReason reason(String text) {
        return FailureReason.ofText(text)
                .orElseThrow(() -> ConsoleException.badRequest(
                        "'reason' must be a reason of a failed attempt, for example timed-out."));
    }

    private static int responseStatus(long number) {
        if (number < LOWEST_STATUS || number > HIGHEST_STATUS) {
            throw ConsoleException.badRequest("'response' must be an HTTP status, 100 to 599.");
        }
        return (int) number;
    }

    /** Returns whether there is a condition. */
    public boolean isEmpty() {
        return values().isEmpty();
    }

    /** Returns the value of a field of the form, which may be empty. */
    public String value(String field) {
        return values().getOrDefault(field, "");
    }

    /** Returns the query of a URL, without a question mark. */
    public String urlQuery() {
        return values().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    /** Returns the conditions as a sentence would have them. */
    public String inWords() {
        List<String> words = new ArrayList<>();
        addWord(words, "to endpoint %s", query.endpointId());
        addWord(words, "of type %s", query.eventType());
        addWord(
                words,
                "with status %s",
                query.status() == null ? null : query.status().text());
        addWord(words, "last answered with HTTP %s", query.responseStatus());
        addWord(
                words,
                "last failed as %s",
                query.reason() == null ? null : query.reason().text());
        addWord(words, "for audience %s", query.audience());
        addWord(words, "dispatched from %s UTC on", time(query.createdFrom()));
        addWord(words, "dispatched before %s UTC", time(query.createdBefore()));
        addWord(words, "of event %s", query.eventId());
        addWord(words, "with idempotency key %s", query.idempotencyKey());
        addWord(words, "with at least %s attempts", query.minAttempts() == 0 ? null : query.minAttempts());
        return words.isEmpty() ? "All deliveries" : "Deliveries " + String.join(", ", words);
    }

    private static void addWord(List<String> words, String format, @Nullable Object value) {
        if (value != null) {
            words.add(format.formatted(value));
        }
    }

    private static @Nullable String time(@Nullable Instant time) {
        return time == null ? null : Formats.time(time);
    }

    private Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        add(values, "endpoint", query.endpointId());
        add(values, "type", query.eventType());
        add(values, "status", query.status() == null ? null : query.status().text());
        add(values, "response", query.responseStatus());
        add(values, "reason", query.reason() == null ? null : query.reason().text());
        add(values, "audience", query.audience());
        add(values, "from", field(query.createdFrom()));
        add(values, "before", field(query.createdBefore()));
        add(values, "event", query.eventId());
        add(values, "key", query.idempotencyKey());
        add(values, "attempts", query.minAttempts() == 0 ? null : query.minAttempts());
        return values;
    }

    private static void add(Map<String, String> values, String name, @Nullable Object value) {
        if (value != null) {
            values.put(name, value.toString());
        }
    }

    private static @Nullable String field(@Nullable Instant time) {
        return time == null ? null : Formats.field(time);
    }
}
