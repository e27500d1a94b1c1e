package io.credential.spring.autoconfigure.actuate;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

/**
 * Masks the secrets among the {@code credential.*} properties. Recognizes properties in each form in which Spring Boot binds
 * them, and those that are set in other values.
 */
final class SecretValues implements SanitizingFunction {

    private static final String PEPPER = ".pepper";
    private static final Pattern SEPARATORS = Pattern.compile("[^a-z0-9]+");

    /** Properties with secrets; other values repeat those that were set as JSON, on the command line or in JAVA_OPTS. */
    private static final List<String> WITH_SECRETS =
            List.of("credential.webhook", "credential.keyring", "credential.cluster.listen", PEPPER);

    /** In JSON, properties without secrets can precede those with secrets, so every value with this key is masked. */
    private static final String JSON_KEY = "\"credential";

    @Override
    public SanitizableData apply(SanitizableData data) {
        String key = normalized(data.getKey());
        String value = String.valueOf(data.getValue());
        return isSecret(key, value) ? data.withSanitizedValue() : data;
    }

    private static boolean isSecret(String key, String value) {
        if (key.startsWith("credential.")) {
            return (key.startsWith("credential.webhook.") && key.contains(".keys."))
                    || (key.startsWith("credential.api") && key.endsWith(PEPPER))
                    || (key.equals("credential.keyring.location") && value.startsWith("base64:"))
                    // JDBC URLs may contain a password.
                    || key.equals("credential.cluster.listen.url")
                    || key.equals("credential.cluster.listenurl");
        }
        if (value.toLowerCase(Locale.ROOT).contains(JSON_KEY)) {
            return true;
        }
        String text = normalized(value);
        return WITH_SECRETS.stream().anyMatch(text::contains);
    }

    private static String normalized(String text) {
        return SEPARATORS.matcher(text.toLowerCase(Locale.ROOT)).replaceAll(".");
    }
}
