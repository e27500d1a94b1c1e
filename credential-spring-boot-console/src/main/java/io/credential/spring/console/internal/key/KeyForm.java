package io.credential.spring.console.internal.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.IssueRequest;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.spring.console.internal.web.Problem;

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
                .metadata(parameters.object("metadata").orElse(Map.of()))
                .expiresAt(parameters.time("expires").orElse(null))
                .allowedNetworks(parameters.lines("networks"));
        return parameters
                .rateLimit()
                .map(limit -> request.rateLimit(limit.limit(), limit.window()))
                .orElse(request);
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
