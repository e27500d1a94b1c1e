package io.credential.cluster;

import org.jspecify.annotations.Nullable;

/**
 * A guarded change was attempted on a node that is not the leader; nothing was changed. Registries translate it into
 * their own exception.
 *
 * @since 0.1.0
 */
public final class LeadershipRequiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String leaderUrl;

    /**
     * @param leaderUrl where the leader can be reached; null when there is no leader, or it advertises no URL
     */
    public LeadershipRequiredException(@Nullable String leaderUrl) {
        super(
                leaderUrl == null
                        ? "This node is not the leader, and no leader advertises a URL; retry in a few seconds"
                        : "This node is not the leader; send the change to " + leaderUrl);
        this.leaderUrl = leaderUrl;
    }

    /** Returns where the leader can be reached, or null when that is not known. */
    public @Nullable String leaderUrl() {
        return leaderUrl;
    }
}
