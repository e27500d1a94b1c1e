package io.credential.spring.autoconfigure.webhook;

import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;

/**
 * The signers or verifiers of one kind that the properties configure.
 *
 * @param missing the message for a name that is not configured
 */
record Configured<T>(Map<String, T> byName, UnaryOperator<String> missing) {

    /**
     * Creates a signer or verifier from the properties below a prefix.
     *
     * @throws CredentialConfigurationException if they are invalid
     */
    static <T> T requireValid(String prefix, Supplier<T> factory) {
        try {
            return factory.get();
        } catch (WebhookException e) {
            throw new CredentialConfigurationException(
                    "The configuration under '" + prefix + "' cannot be used (" + e.code() + "): " + e.getMessage()
                            + ".",
                    "Correct the properties under '" + prefix + "'.",
                    e);
        }
    }

    /**
     * @throws WebhookException {@code webhook/bad-opt} if the name is null or not configured
     */
    T get(@Nullable String name) {
        String required = WebhookOptions.required(name, "name");
        T found = byName.get(required);
        if (found == null) {
            throw new WebhookException(WebhookErrorCode.BAD_OPT, missing.apply(required));
        }
        return found;
    }
}
