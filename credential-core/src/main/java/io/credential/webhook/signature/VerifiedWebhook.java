package io.credential.webhook.signature;

/**
 * What a verified signature says about a body.
 *
 * @param algorithm {@code hmac-sha3-512} or {@code pqc-pem}
 * @param kid the key whose signature matched
 * @param timestamp when it was signed, in unix seconds
 * @param id the id of the delivery, which the signature covers
 * @since 0.1.0
 */
public record VerifiedWebhook(String algorithm, String kid, long timestamp, String id) {}
