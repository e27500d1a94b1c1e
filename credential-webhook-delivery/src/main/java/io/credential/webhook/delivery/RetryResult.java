package io.credential.webhook.delivery;

/**
 * The result of {@link WebhookDispatcher#processRetries()}.
 *
 * @param attempted how many deliveries were attempted
 * @param delivered how many of them were accepted
 * @param dead how many of the claimed deliveries are now dead, attempted or not
 * @since 0.1.0
 */
public record RetryResult(int attempted, int delivered, int dead) {}
