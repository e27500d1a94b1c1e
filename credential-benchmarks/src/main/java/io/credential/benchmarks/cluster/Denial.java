package io.credential.benchmarks.cluster;

import java.util.List;

import io.credential.benchmarks.cluster.Call.Outcome;

/**
 * How one node stopped accepting a key that was revoked on another.
 *
 * @param lastAcceptedMillis from the return of the revocation, or from a later fault, until the answer of the last call
 *     that accepted the key arrived; 0 if it arrived before
 * @param accepted how many calls accepted the key that began after both
 * @param acceptedAgain how many calls accepted the key after one had rejected it
 */
record Denial(double lastAcceptedMillis, int accepted, int acceptedAgain) {

    /**
     * Judges the calls of one client, in their order.
     *
     * @param since when the revocation had returned, or a later fault had begun
     */
    static Denial of(List<Call> calls, long since) {
        long lastAcceptedAt = since;
        int accepted = 0;
        int acceptedAgain = 0;
        boolean rejected = false;
        for (Call call : calls) {
            if (call.outcome() == Outcome.NO) {
                rejected = true;
            } else {
                lastAcceptedAt = Math.max(lastAcceptedAt, call.end());
                accepted += call.start() > since ? 1 : 0;
                acceptedAgain += rejected ? 1 : 0;
            }
        }
        return new Denial((lastAcceptedAt - since) / 1e6, accepted, acceptedAgain);
    }
}
