package io.credential.webhook.delivery.queue;

/**
 * The right of one worker to attempt deliveries and to store what came of it.
 *
 * @param token drawn anew for every claim; whoever stores an outcome must still have it
 * @param owner the incarnation of the dispatcher that claims
 * @param claimedAt in unix milliseconds
 * @param madeAtNanos by {@link System#nanoTime}, before anything was read under it
 * @since 0.1.0
 */
public record Claim(long token, String owner, long claimedAt, long madeAtNanos) {}
