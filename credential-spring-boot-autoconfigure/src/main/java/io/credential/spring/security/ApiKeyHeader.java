package io.credential.spring.security;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the header in which keys are expected may be called, for the property and for the configurer alike.
 *
 * @since 0.1.0
 */
public final class ApiKeyHeader {

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    // They carry other credentials, which would be taken for keys.
    private static final Set<String> TAKEN = Set.of("authorization", "proxy-authorization", "cookie");

    private ApiKeyHeader() {}

    /**
     * Returns the name when keys can be expected in a header of that name.
     *
     * @throws IllegalArgumentException saying what to choose instead
     */
    public static String requireUsable(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The header of API keys must have a name that HTTP allows, of up to 128 characters.");
        }
        if (TAKEN.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("The header of API keys must be one that carries nothing else;"
                    + " 'Authorization: ApiKey <token>' is understood without configuration.");
        }
        return name;
    }
}
