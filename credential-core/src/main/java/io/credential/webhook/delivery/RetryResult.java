package io.credential.webhook.delivery;

/**
 * What one call of {@link WebhookDispatcher#processRetries()} did.
 *
 * @param attempted how many deliveries were attempted
 * @param delivered how many of them were accepted
 * @param dead how many were given up
 * @since 0.1.0
 */
public record RetryResult(int attempted, int delivered, int dead) {}
