package io.credential.benchmarks.cluster;

import org.jspecify.annotations.Nullable;

/**
 * A committed write, as a trigger of the database recorded it in the transaction of the write.
 *
 * @param kind what was written
 * @param node the process whose connection wrote
 * @param holder the process that held the lease
 * @param epoch the epoch of the lease
 * @param keyId the key; null for a term
 */
record Write(
        Kind kind,
        String node,
        String holder,
        long epoch,
        @Nullable String keyId) {

    enum Kind {
        /** A node became the leader of a new epoch. */
        TERM,
        ISSUE,
        REVOKE,
        ROTATE,
        /** Another change of an authenticated column. */
        OTHER
    }
}
