package io.credential.spring.security.internal;

import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Where a chain expects keys in a request, besides {@code Authorization: ApiKey <token>}.
 *
 * @param headerNames the headers in which keys are expected
 * @param bearer whether {@code Authorization: Bearer <token>} contains a key too
 * @param ticketParameter the query parameter in which tickets are expected; null if none are accepted
 */
public record KeySources(
        List<String> headerNames, boolean bearer, @Nullable String ticketParameter) {

    private static final Pattern PARAMETER = Pattern.compile("[A-Za-z0-9._~-]{1,64}");

    /** @throws IllegalArgumentException if a header cannot contain keys, or none is named */
    public KeySources {
        headerNames = ApiKeyHeader.requireUsable(headerNames);
        if (ticketParameter != null) {
            requireParameter(ticketParameter);
        }
    }

    /**
     * Returns the name if a query parameter can have it.
     *
     * @throws IllegalArgumentException saying what to choose instead
     */
    public static String requireParameter(String name) {
        if (!PARAMETER.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name must be 1 to 64 letters, digits, '-', '.', '_' or '~', as they appear in a URL.");
        }
        return name;
    }
}
