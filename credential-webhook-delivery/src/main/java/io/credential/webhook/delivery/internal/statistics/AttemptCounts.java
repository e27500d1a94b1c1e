package io.credential.webhook.delivery.internal.statistics;

/**
 * How many attempts were accepted and failed, and how many deliveries died.
 *
 * @param accepted attempts
 * @param failed attempts
 * @param dead deliveries
 */
record AttemptCounts(long accepted, long failed, long dead) {

    static final AttemptCounts NONE = new AttemptCounts(0, 0, 0);

    AttemptCounts plus(AttemptCounts other) {
        return new AttemptCounts(accepted + other.accepted, failed + other.failed, dead + other.dead);
    }
}
