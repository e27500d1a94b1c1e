package io.credential.spring.console.internal.key;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.IssueRequest;
import io.credential.ratelimit.RateLimit;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.spring.console.internal.web.Problem;
import io.credential.storage.internal.JsonText;

/**
 * The form of a new key with what was entered. Does not print it.
 *
 * @param namespaces the registries that can issue it
 * @param values the values by their fields; a field without one is empty
 * @param problem what was wrong with the values; null if they were not sent yet
 */
public record KeyForm(
        List<String> namespaces,
        Map<String, String> values,
        @Nullable Problem problem) {

    static final String REGISTRY = "registry";

    private static final List<String> TEXTS =
            List.of(REGISTRY, "owner", "name", "metadata", "expires", "limit", "window");
    private static final List<String> LISTS = List.of("scopes", "networks");
    private static final long LONGEST_WINDOW = RateLimit.MAX_WINDOW.toSeconds();

    public KeyForm {
        namespaces = List.copyOf(namespaces);
        values = Map.copyOf(values);
    }

    static Map<String, String> values(Parameters parameters) {
        Map<String, String> values = new LinkedHashMap<>();
        TEXTS.forEach(field -> parameters.text(field).ifPresent(text -> values.put(field, text)));
        LISTS.forEach(field -> values.put(field, String.join("\n", parameters.lines(field))));
        return values;
    }

    /**
     * Returns the key that was asked for.
     *
     * @throws ConsoleException if a value is malformed
     * @throws io.credential.apikey.ApiKeyException if no key can have it
     */
    static IssueRequest request(Parameters parameters) {
        IssueRequest request = IssueRequest.forOwner(parameters.required("owner"))
                .name(parameters.text("name").orElse(null))
                .scopes(parameters.lines("scopes"))
                .metadata(parameters.text("metadata").map(KeyForm::metadata).orElse(Map.of()))
                .expiresAt(parameters.time("expires").orElse(null))
                .allowedNetworks(parameters.lines("networks"));
        return rateLimit(parameters)
                .map(limit -> request.rateLimit(limit.limit(), limit.window()))
                .orElse(request);
    }

    private static Map<String, Object> metadata(String text) {
        try {
            return JsonText.readObject(text);
        } catch (RuntimeException e) {
            throw ConsoleException.badRequest("The metadata must be a JSON object, for example {\"plan\": \"gold\"}.");
        }
    }

    /**
     * Returns the rate limit that was entered; empty if that of the registry applies.
     *
     * @throws ConsoleException if only one of its fields has a value, or one is out of range
     */
    static Optional<RateLimit> rateLimit(Parameters parameters) {
        Optional<Long> limit = parameters.number("limit");
        Optional<Long> window = parameters.number("window");
        if (limit.isEmpty() && window.isEmpty()) {
            return Optional.empty();
        }
        if (limit.orElse(0L) < 1
                || limit.orElse(0L) > RateLimit.MAX_LIMIT
                || window.orElse(0L) < 1
                || window.orElse(0L) > LONGEST_WINDOW) {
            throw ConsoleException.badRequest(
                    "A rate limit needs 1 to " + RateLimit.MAX_LIMIT + " requests and a window of 1 to "
                            + LONGEST_WINDOW + " seconds. Leave both empty for that of the registry.");
        }
        return Optional.of(new RateLimit(Math.toIntExact(limit.get()), Duration.ofSeconds(window.get())));
    }

    /** Returns the value of a field; empty if it has none. */
    public String value(String field) {
        return values.getOrDefault(field, "");
    }

    @Override
    public String toString() {
        return "KeyForm";
    }
}
