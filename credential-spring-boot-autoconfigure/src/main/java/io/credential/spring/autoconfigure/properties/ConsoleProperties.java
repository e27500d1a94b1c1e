package io.credential.spring.autoconfigure.properties;

import java.util.regex.Pattern;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the operator's console. Immutable.
 *
 * @param enabled Whether the console is served.
 * @param path Path of the console below the context path and the servlet path.
 * @param readOnly Whether the console only shows: nothing can be changed with it.
 * @param authorities authorities that the console requires
 * @since 0.1.0
 */
@ConfigurationProperties("credential.console")
public record ConsoleProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("/credential") String path,
        @DefaultValue("false") boolean readOnly,
        @DefaultValue Authorities authorities) {

    private static final String PREFIX = "credential.console.";

    private static final Pattern PATH = Pattern.compile("(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+");
    private static final int LONGEST_PATH = 200;

    public ConsoleProperties {
        PropertyRules.require(
                path.length() <= LONGEST_PATH && PATH.matcher(path).matches(),
                PREFIX + "path",
                path,
                "It must start with '/' and must not end with it, for example '/credential'; its segments may contain"
                        + " letters, digits and '.', '_', '~', '-'.");
    }

    /**
     * Configuration properties of the authorities that the console requires.
     *
     * @param view Authority required for every page of the console.
     * @param payloads Authority required to see payloads and complete URLs.
     * @param operate Authority required to operate deliveries and endpoints.
     * @param keys Authority required to issue and change API keys.
     * @param admin Authority required for administrative actions, such as removing endpoints.
     */
    public record Authorities(
            @DefaultValue("CREDENTIAL_VIEW") String view,
            @DefaultValue("CREDENTIAL_PAYLOADS") String payloads,
            @DefaultValue("CREDENTIAL_OPERATE") String operate,
            @DefaultValue("CREDENTIAL_KEYS") String keys,
            @DefaultValue("CREDENTIAL_ADMIN") String admin) {

        public Authorities {
            require("view", view);
            require("payloads", payloads);
            require("operate", operate);
            require("keys", keys);
            require("admin", admin);
        }

        private static void require(String name, String authority) {
            PropertyRules.require(
                    !authority.isBlank(),
                    PREFIX + "authorities." + name,
                    authority,
                    "It must be the name of an authority, for example 'ROLE_OPERATOR'.");
        }
    }
}
