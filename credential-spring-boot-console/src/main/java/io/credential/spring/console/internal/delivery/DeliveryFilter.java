package io.credential.spring.console.internal.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.FilterValues;
import io.credential.spring.console.internal.web.Formats;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.http.FailureReason;

/**
 * The conditions on deliveries, as the form has them and the URL contains them.
 *
 * @param query the conditions, without the cursor
 * @param values as they were entered
 */
public record DeliveryFilter(DeliveryQuery query, FilterValues values) {

    private static final List<String> TEXTS =
            List.of("endpoint", "type", "status", "response", "reason", "audience", "event", "key", "attempts");
    private static final List<String> TIMES = List.of("from", "before");

    private static final int LOWEST_STATUS = 100;
    private static final int HIGHEST_STATUS = 599;

    /**
     * Returns the filter of a request.
     *
     * @throws ConsoleException if a value is malformed
     */
    static DeliveryFilter of(Parameters parameters) {
        DeliveryQuery query = new DeliveryQuery(
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
                null);
        return new DeliveryFilter(query, FilterValues.of(parameters, TEXTS, TIMES));
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

    /** Returns whether all deliveries match. */
    public boolean isEmpty() {
        return query.equals(DeliveryQuery.all());
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
        addWord(words, "dispatched at or after %s UTC", time(query.createdFrom()));
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
}
