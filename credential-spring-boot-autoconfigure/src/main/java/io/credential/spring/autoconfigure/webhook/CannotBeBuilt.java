package io.credential.spring.autoconfigure.webhook;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.webhook.WebhookException;

/** Tells what core refused by the name of the properties that it was built from. */
final class CannotBeBuilt {

    private CannotBeBuilt() {}

    static CredentialConfigurationException of(String property, WebhookException refusal) {
        return new CredentialConfigurationException(
                "The configuration under '" + property + "' cannot be used (" + refusal.code() + "): "
                        + refusal.getMessage() + ".",
                "Correct the properties under '" + property + "'.",
                refusal);
    }
}
