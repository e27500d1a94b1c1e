package io.credential.apikey;

import org.jspecify.annotations.Nullable;

import io.credential.internal.cluster.LeadershipRequiredException;

/**
 * A change was requested from a node that is not the leader of its cluster; nothing was changed. Send it to {@link
 * #leaderUrl()} instead.
 *
 * @since 0.1.0
 */
public final class NotLeaderException extends ApiKeyException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String leader;
    private final @Nullable String leaderUrl;

    /**
     * @param leaderUrl where the leader can be reached; null if there is no leader or it does not advertise a URL
     */
    public NotLeaderException(@Nullable String leaderUrl) {
        this(null, leaderUrl);
    }

    /**
     * @param leader the id of the node that leads; null when there is none
     * @param leaderUrl where the leader can be reached; null if there is no leader or it does not advertise a URL
     */
    public NotLeaderException(@Nullable String leader, @Nullable String leaderUrl) {
        super(ApiKeyErrorCode.NOT_LEADER, LeadershipRequiredException.message(leader, leaderUrl));
        this.leader = leader;
        this.leaderUrl = leaderUrl;
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
