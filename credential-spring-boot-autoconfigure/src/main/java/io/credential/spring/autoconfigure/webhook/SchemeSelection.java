package io.credential.spring.autoconfigure.webhook;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.webhook.signature.scheme.WebhookScheme;
import io.credential.webhook.signature.scheme.WebhookSchemes;

/** Finds the scheme of a sender: those of the library, and beans of the application. */
final class SchemeSelection {

    private static final Set<String> OWN = Set.of("credential", "processor");

    private final Map<String, WebhookScheme> schemes = new TreeMap<>();

    SchemeSelection(List<WebhookScheme> beans) {
        WebhookSchemes.all().forEach(this::add);
        beans.forEach(this::add);
    }

    private void add(WebhookScheme scheme) {
        if (OWN.contains(scheme.name()) || schemes.putIfAbsent(scheme.name(), scheme) != null) {
            throw new CredentialConfigurationException(
                    "Two webhook schemes are named '" + scheme.name() + "'.",
                    "Return a different name from " + scheme.getClass().getName() + ".name().");
        }
    }

    WebhookScheme select(String property, String name) {
        WebhookScheme scheme = schemes.get(name);
        if (scheme == null) {
            throw new CredentialConfigurationException(
                    "'" + property + "' is '" + name + "', which is not a known scheme.",
                    "Use 'credential', 'processor' or one of " + schemes.keySet()
                            + ", or define a WebhookScheme bean with this name.");
        }
        return scheme;
    }
}
