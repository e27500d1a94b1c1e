package io.credential.spring.test;

import org.springframework.test.web.servlet.request.RequestPostProcessor;

import io.credential.apikey.ApiKey;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookSigner;

/**
 * Creates post processors for requests of MockMvc: {@code mvc.get().uri("/orders").with(apiKey().scopes("orders:read"))}.
 *
 * @since 0.1.0
 */
public final class CredentialRequestPostProcessors {

    private CredentialRequestPostProcessors() {}

    /**
     * Authenticates the request with an API key that no registry needs to know. By default, the key has no scopes and
     * belongs to the owner {@code user} in the namespace {@code live}.
     */
    public static ApiKeyRequestPostProcessor apiKey() {
        return new ApiKeyRequestPostProcessor();
    }

    /** Authenticates the request with this key. */
    public static RequestPostProcessor apiKey(ApiKey key) {
        return request -> ApiKeyRequestPostProcessor.authenticate(request, key);
    }

    /**
     * Signs the body of the request as a sender under {@code credential.webhook.inbound} does, by its configured
     * secret. The filter then verifies the request as in production.
     *
     * @param name the configured name of the sender
     */
    public static SignedWebhookRequestPostProcessor signedWebhook(String name) {
        return new SignedWebhookRequestPostProcessor(name);
    }

    /** Signs the body of the request with this signer, for example with the private key of {@code pqc-pem}. */
    public static RequestPostProcessor signedWebhook(WebhookSigner signer) {
        return request -> {
            signer.headers(SignedWebhookRequestPostProcessor.body(request)).forEach(request::addHeader);
            return request;
        };
    }

    /** Signs the body of the request in the style of payment processors. */
    public static RequestPostProcessor signedWebhook(ProcessorSignature signature) {
        return request -> {
            request.addHeader(
                    signature.signatureHeader(), signature.sign(SignedWebhookRequestPostProcessor.body(request)));
            return request;
        };
    }
}
