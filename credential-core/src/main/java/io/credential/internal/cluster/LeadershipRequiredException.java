package io.credential.internal.cluster;

import org.jspecify.annotations.Nullable;

/**
 * A guarded change was attempted on a node that is not the leader; nothing was changed. Registries translate it into
 * their own exception.
 */
public final class LeadershipRequiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String leader;
    private final @Nullable String leaderUrl;

    /**
     * @param leader the id of the node that leads; null when there is none
     * @param leaderUrl where the leader can be reached; null if there is no leader or it does not advertise a URL
     */
    public LeadershipRequiredException(@Nullable String leader, @Nullable String leaderUrl) {
        super(message(leader, leaderUrl));
        this.leader = leader;
        this.leaderUrl = leaderUrl;
    }

    /** Says where to send the change; parameters as in the constructor. */
    public static String message(@Nullable String leader, @Nullable String leaderUrl) {
        if (leaderUrl != null) {
            return "This node is not the leader; send the change to " + leaderUrl;
        }
        return leader == null
                ? "This node is not the leader, and there is none at the moment; retry in a few seconds"
                : "This node is not the leader. Node '" + leader
                        + "' is, but advertises no URL: send the change to that"
                        + " node, and set 'credential.cluster.advertised-url' on every node";
    }

    /** Returns the id of the node that leads, or null when there is none. */
    public @Nullable String leader() {
        return leader;
    }

    /** Returns where the leader can be reached, or null when that is not known. */
    public @Nullable String leaderUrl() {
        return leaderUrl;
    }
}
