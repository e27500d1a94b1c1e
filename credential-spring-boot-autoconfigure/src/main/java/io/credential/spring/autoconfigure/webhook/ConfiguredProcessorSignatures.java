package io.credential.spring.autoconfigure.webhook;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.WebhookOptions;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.ProcessorSignatures;

/** The processor-style signatures of the properties. */
record ConfiguredProcessorSignatures(Map<String, ProcessorSignature> signatures) implements ProcessorSignatures {

    ConfiguredProcessorSignatures {
        signatures = Map.copyOf(signatures);
    }

    @Override
    public ProcessorSignature get(@Nullable String name) {
        ProcessorSignature signature = signatures.get(WebhookOptions.required(name, "name"));
        if (signature == null) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "There is no processor-style signature '" + name + "'; configure it with"
                            + " 'credential.webhook.inbound." + name + "' and the algorithm 'hmac-sha256-processor'");
        }
        return signature;
    }
}
