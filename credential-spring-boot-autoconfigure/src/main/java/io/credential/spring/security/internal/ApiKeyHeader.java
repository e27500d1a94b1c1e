package io.credential.spring.security.internal;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the name of the header for keys, both for the property and for the configurer. */
public final class ApiKeyHeader {

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    // They contain other credentials, which would be mistaken for keys.
    private static final Set<String> RESERVED = Set.of("authorization", "proxy-authorization", "cookie");

    private ApiKeyHeader() {}

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
