package io.credential.benchmarks.cluster;

/** What clients call on a node. */
enum Operation {
    ISSUE,
    VERIFY,
    REVOKE,
    /** With immediate effect: the old token is then rejected. */
    ROTATE;

    /** Whether only the leader does it. */
    boolean isChange() {
        return this != VERIFY;
    }
}
