package io.credential.webhook.signature;

/**
 * What a verified processor-style signature says about a body.
 *
 * @param timestamp when it was signed, in unix seconds
 * @param scheme the scheme of the signature that matched, {@code v1}
 * @since 0.1.0
 */
public record ProcessorVerification(long timestamp, String scheme) {}
