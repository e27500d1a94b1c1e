package io.credential.webhook.delivery.internal.queue;

/**
 * The right of a node to attempt deliveries and to store the outcomes.
 *
 * @param token random; an outcome is stored only while the delivery is claimed under this token
 * @param owner the id of the lease of the node that claims
 * @param claimedAt in Unix milliseconds
 * @param madeAtNanos the {@link System#nanoTime} at which the claim was made, before anything was read under it
 */
public record Claim(long token, String owner, long claimedAt, long madeAtNanos) {}
