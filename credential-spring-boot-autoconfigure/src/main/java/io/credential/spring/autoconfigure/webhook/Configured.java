package io.credential.spring.autoconfigure.webhook;

import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.WebhookOptions;

/**
 * The signers or verifiers of one kind that the properties configure.
 *
 * @param missing the message for a name that is not configured
 */
record Configured<T>(Map<String, T> byName, UnaryOperator<String> missing) {

    Configured {
        byName = Map.copyOf(byName);
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
