package io.credential.cluster;

/**
 * Answers whether this node may change the registry's state. Thread-safe.
 *
 * @since 0.1.0
 */
public interface Leadership {

    /** Whether this node believes to be the leader; a hint for maintenance work, not a guard. */
    boolean isLeader();

    /**
     * Guards a change. To be called inside the transaction that makes the change, before it: as long as that
     * transaction runs, no other node can take over.
     *
     * @throws LeadershipRequiredException if this node is not the leader
     */
    void requireLeader();

    /** The leadership of a deployment with one node: always granted, no statement run. */
    static Leadership singleNode() {
        return SingleNode.INSTANCE;
    }
}
