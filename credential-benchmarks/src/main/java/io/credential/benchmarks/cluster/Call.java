package io.credential.benchmarks.cluster;

import org.jspecify.annotations.Nullable;

/**
 * One call of a client. Contains no token: a token is identified by the id of its key and a generation, which increases
 * with each rotation.
 *
 * @param node the process that was called; a restarted node has another name
 * @param keyId null for a key whose issue did not succeed
 * @param generation of the token that was presented, or that a rotation creates
 * @param start nanoseconds since the start of the run
 * @param end nanoseconds since the start of the run
 * @param code the error code of a refusal, otherwise empty
 */
record Call(
        Operation operation,
        String node,
        @Nullable String keyId,
        int generation,
        long start,
        long end,
        Outcome outcome,
        String code) {

    private static final String NOT_LEADER = "api-key/not-leader";

    enum Outcome {
        /** Issued, accepted, revoked or rotated. */
        YES,
        /** Rejected, or not revoked by this call. */
        NO,
        /** Failed with an error code. */
        REFUSED,
        /** There was no answer; the change may have been made. */
        UNKNOWN
    }

    /** Whether this changed a key, and the caller knows it. */
    boolean isSuccessfulChange() {
        return operation.isChange() && outcome == Outcome.YES;
    }

    /** Whether this may have changed a key: a commit without an answer fails as unavailable, and may stand nevertheless. */
    boolean mayHaveChanged() {
        return operation.isChange()
                && outcome != Outcome.NO
                && !(outcome == Outcome.REFUSED && code.equals(NOT_LEADER));
    }

    @Override
    public String toString() {
        return "%s of %s generation %d on %s, %.3f s to %.3f s: %s %s"
                .formatted(operation, keyId, generation, node, start / 1e9, end / 1e9, outcome, code);
    }
}
