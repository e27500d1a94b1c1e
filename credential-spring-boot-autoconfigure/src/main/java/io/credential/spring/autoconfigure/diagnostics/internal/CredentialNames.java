package io.credential.spring.autoconfigure.diagnostics.internal;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;

/** Recognizes properties of Credential, and says where they come from. */
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
