package io.credential.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;

/** Tells our properties from those of others, and where one was written. */
final class CredentialNames {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("credential");

    private CredentialNames() {}

    static boolean includes(ConfigurationPropertyName name) {
        return ROOT.equals(name) || ROOT.isAncestorOf(name);
    }

    static String origin(@Nullable Origin origin) {
        return origin == null ? "" : " (from " + origin + ")";
    }
}
