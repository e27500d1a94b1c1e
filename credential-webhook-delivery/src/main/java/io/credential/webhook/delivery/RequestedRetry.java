package io.credential.webhook.delivery;

/**
 * A delivery that {@link Deliveries#retry(java.util.Collection)} was called for.
 *
 * @param deliveryId the id that was given
 * @param outcome whether the delivery is due now, or why it is not
 * @since 0.1.0
 */
public record RequestedRetry(String deliveryId, RetryOutcome outcome) {}
