package io.credential.webhook.signature;

import java.util.Map;

/**
 * A signed body, ready to be sent.
 *
 * @param headers the headers to send with the body, by name
 * @param timestamp when it was signed, in Unix seconds
 * @param id the id that was signed
 * @param kid the id of the key that signed
 * @param signature the signature as encoded in the header
 * @since 0.1.0
 */
public record SignedWebhook(Map<String, String> headers, long timestamp, String id, String kid, String signature) {

    public SignedWebhook {
        headers = Map.copyOf(headers);
    }
}
