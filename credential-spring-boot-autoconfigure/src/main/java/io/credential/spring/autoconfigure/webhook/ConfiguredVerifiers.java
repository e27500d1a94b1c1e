package io.credential.spring.autoconfigure.webhook;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.WebhookOptions;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.WebhookVerifiers;

/** The verifiers of the properties: every incoming webhook but those of payment processors. */
record ConfiguredVerifiers(Map<String, WebhookVerifier> verifiers) implements WebhookVerifiers {

    ConfiguredVerifiers {
        verifiers = Map.copyOf(verifiers);
    }

    @Override
    public WebhookVerifier get(@Nullable String name) {
        WebhookVerifier verifier = verifiers.get(WebhookOptions.required(name, "name"));
        if (verifier == null) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "There is no verifier '" + name + "'; configure it with 'credential.webhook.inbound." + name
                            + "' and an algorithm other than 'hmac-sha256-processor', whose webhooks ProcessorSignatures"
                            + " has");
        }
        return verifier;
    }
}
