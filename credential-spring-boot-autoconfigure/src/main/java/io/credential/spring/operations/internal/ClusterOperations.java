package io.credential.spring.operations.internal;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LiveNodes;

/** Shows which node leads, and which others there are. Thread-safe. */
public final class ClusterOperations {

    private final String node;
    private final Leadership leadership;
    private final LiveNodes nodes;

    /** @param node the id of this node */
    public ClusterOperations(String node, Leadership leadership, LiveNodes nodes) {
        this.node = node;
        this.leadership = leadership;
        this.nodes = nodes;
    }

    /**
     * The cluster as this node sees it.
     *
     * @param node the id of this node
     * @param leads whether this node believes that it is the leader; always in single mode
     * @param leader the id of the leader; null if there is none, or it is not known
     * @param leaderUrl where the leader can be reached; null if it is not known
     * @param nodes the ids of the nodes that announce themselves in the database, sorted; repeated if several nodes have the
     *     same id. Empty on SQLite, which is a file of one process
     */
    public record ClusterState(
            String node,
            boolean leads,
            @Nullable String leader,
            @Nullable String leaderUrl,
            List<String> nodes) {}

    /** Returns whether this node believes that it is the leader; always in single mode. Takes no statement. */
    public boolean leads() {
        return leadership.isLeader();
    }

    /**
     * Returns the state, which takes one statement.
     *
     * @throws DataAccessException if the database does not answer
     */
    public ClusterState state() {
        LiveNodes.Found found = nodes.find();
        boolean leads = leadership.isLeader();
        return new ClusterState(node, leads, leads ? node : found.leader(), found.leaderUrl(), found.nodes());
    }
}
