package io.credential.webhook.delivery.internal.statistics;

/**
 * What is known of the last attempts for an endpoint, in Unix milliseconds. Merging depends on the times only, not on the
 * order in which attempts become known. Of the failures between the first and the last one, the times are not kept: if a
 * success between them becomes known later, the last failure counts as the first one after it.
 *
 * @param lastSuccessAt {@link #NEVER} if none is known
 * @param failingSince the first failure that is known after the last success; {@link #NOT_FAILING} if none is
 * @param lastFailureAt {@link #NEVER} if none is known
 */
record LastOutcomes(long lastSuccessAt, long failingSince, long lastFailureAt) {

    static final long NEVER = Long.MIN_VALUE;
    static final long NOT_FAILING = Long.MAX_VALUE;

    static LastOutcomes accepted(long at) {
        return new LastOutcomes(at, NOT_FAILING, NEVER);
    }

    static LastOutcomes failed(long at) {
        return new LastOutcomes(NEVER, at, at);
    }

    LastOutcomes merge(LastOutcomes other) {
        long success = Math.max(lastSuccessAt, other.lastSuccessAt);
        return new LastOutcomes(
                success,
                Math.min(firstFailureAfter(success), other.firstFailureAfter(success)),
                Math.max(lastFailureAt, other.lastFailureAt));
    }

    private long firstFailureAfter(long success) {
        if (failingSince > success) {
            return failingSince;
        }
        return lastFailureAt > success ? lastFailureAt : NOT_FAILING;
    }
}
