package io.credential.spring.autoconfigure.webhook;

import java.util.Map;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.WebhookOptions;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookSigners;

/** The signers of the properties; what they send with is closed with the context, since it may hold connections. */
record ConfiguredSigners(Map<String, WebhookSigner> signers, SignerHttp http) implements WebhookSigners, AutoCloseable {

    ConfiguredSigners {
        signers = Map.copyOf(signers);
    }

    @Override
    public WebhookSigner get(String name) {
        WebhookSigner signer = signers.get(WebhookOptions.required(name, "name"));
        if (signer == null) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "There is no signer '" + name + "'; configure it with 'credential.webhook.signers." + name + "'");
        }
        return signer;
    }

    @Override
    public void close() {
        http.close();
    }
}
