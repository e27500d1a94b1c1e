package io.credential.spring.security.internal;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the names of the headers for keys, both for the property and for the configurer. */
public final class ApiKeyHeader {

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    // They contain other credentials, which would be mistaken for keys.
    private static final Set<String> RESERVED = Set.of("authorization", "proxy-authorization", "cookie");

    /** Each header is read for each request. */
    private static final int MAX_NAMES = 8;

    private ApiKeyHeader() {}

    /**
     * Returns the names if these headers can contain keys.
     *
     * @throws IllegalArgumentException saying what to choose instead
     */
    public static List<String> requireUsable(List<String> names) {
        if (names.isEmpty() || names.size() > MAX_NAMES) {
            throw new IllegalArgumentException("Name 1 to " + MAX_NAMES + " headers.");
        }
        Set<String> distinct = new HashSet<>();
        for (String name : names) {
            if (!distinct.add(requireUsable(name).toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("Name each header once; '" + name + "' is named twice.");
            }
        }
        return List.copyOf(names);
    }

    /**
     * Returns the name if the header can contain keys.
     *
     * @throws IllegalArgumentException saying what to choose instead
     */
    public static String requireUsable(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("The name must be a valid HTTP header name of at most 128 characters.");
        }
        if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("The header must not contain other credentials;"
                    + " 'Authorization: ApiKey <token>' is always accepted.");
        }
        return name;
    }
}
