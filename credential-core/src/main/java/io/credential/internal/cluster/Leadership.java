package io.credential.internal.cluster;

import java.util.OptionalLong;

/** Decides whether this node may change the state of the registries. Thread-safe. */
public interface Leadership {

    /** Whether this node believes that it is the leader; a hint for maintenance work, not a guard. */
    default boolean isLeader() {
        return epoch().isPresent();
    }

    /** Returns the number of the current term of office of this node; empty if it does not believe that it is the leader. */
    OptionalLong epoch();

    /**
     * Guards a change. Call it in the transaction of the change, before the change: no other node can take over until
     * that transaction ends.
     *
     * @throws LeadershipRequiredException if this node is not the leader
     */
    void requireLeader();

    /** Returns the leadership of a single node, which is always granted and runs no SQL. */
    static Leadership singleNode() {
        return SingleNode.INSTANCE;
    }
}
