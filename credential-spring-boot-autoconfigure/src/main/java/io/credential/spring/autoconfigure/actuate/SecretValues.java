package io.credential.spring.autoconfigure.actuate;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

import io.credential.apikey.leak.TokenMask;

/**
 * Masks the secrets among the {@code credential.*} properties, and every value that contains an API key. Recognizes
 * properties in each form in which Spring Boot binds them, and those that are set in other values.
 */
final class SecretValues implements SanitizingFunction {

    private static final Pattern SEPARATORS = Pattern.compile("[^a-z0-9]+");

    /** They repeat properties that were set as JSON or on the command line. */
    private static final Set<String> CONTAINERS = Set.of(
            "spring.application.json", "sun.java.command", "java.tool.options", "jdk.java.options", ".java.options");

    @Override
    public SanitizableData apply(SanitizableData data) {
        String key = SEPARATORS.matcher(data.getKey().toLowerCase(Locale.ROOT)).replaceAll(".");
        String value = String.valueOf(data.getValue());
        return isSecret(key, value) || TokenMask.isIn(value) ? data.withSanitizedValue() : data;
    }

    private static boolean isSecret(String key, String value) {
        if (key.startsWith("credential.")) {
            return (key.startsWith("credential.webhook.") && key.contains(".keys."))
                    || (key.equals("credential.keyring.location") && value.startsWith("base64:"))
                    // JDBC URLs may contain a password.
                    || key.equals("credential.cluster.listen.url")
                    || key.equals("credential.cluster.listenurl");
        }
        return CONTAINERS.contains(key) && value.toLowerCase(Locale.ROOT).contains("credential");
    }
}
