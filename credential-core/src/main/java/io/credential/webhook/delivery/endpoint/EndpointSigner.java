package io.credential.webhook.delivery.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.WebhookSigner;

/**
 * Makes the headers of requests that are secret or need the secret of their endpoint. Thread-safe.
 *
 * @since 0.1.0
 */
public final class EndpointSigner {

    private static final String MASK = "******";

    private final WebhookSigner signer;
    private final Map<String, SecretBytes> headers;

    EndpointSigner(WebhookSigner signer, Map<String, SecretBytes> headers) {
        this.signer = signer;
        this.headers = headers;
    }

    /** Returns the headers that carry the signature of a body under an id. */
    public Map<String, String> sign(byte[] body, String id) {
        return signer.sign(body, id).headers();
    }

    /** Returns the headers that the endpoint was registered with. */
    public Map<String, String> registeredHeaders() {
        Map<String, String> opened = new LinkedHashMap<>();
        headers.forEach((name, value) -> opened.put(name, value.use(EndpointSecrets::text)));
        return opened;
    }

    /** Returns the same headers, with their values masked. */
    public Map<String, String> maskedHeaders() {
        Map<String, String> masked = new LinkedHashMap<>();
        headers.keySet().forEach(name -> masked.put(name, MASK));
        return masked;
    }

    /** Without the headers. */
    @Override
    public String toString() {
        return "EndpointSigner";
    }
}
