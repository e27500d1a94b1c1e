package io.credential.cluster;

import org.jspecify.annotations.Nullable;

/**
 * A change was asked of a node that is not the leader; it changed nothing. Repeat it at {@link #leaderUrl()}.
 *
 * @since 0.1.0
 */
public final class NotLeaderException extends RuntimeException {

    /** The stable code of this error. */
    public static final String CODE = "api-key/not-leader";

    private static final long serialVersionUID = 1L;

    private final @Nullable String leaderUrl;

    /**
     * @param leaderUrl where the leader can be reached; null when there is no leader, or it advertises no address
     */
    public NotLeaderException(@Nullable String leaderUrl) {
        super(
                leaderUrl == null
                        ? "This node is not the leader, and no leader advertises a URL; retry in a few seconds"
                        : "This node is not the leader; send the change to " + leaderUrl);
        this.leaderUrl = leaderUrl;
    }

    /** {@value #CODE}. */
    public String code() {
        return CODE;
    }

    /** Where the leader can be reached, or null when that is not known. */
    public @Nullable String leaderUrl() {
        return leaderUrl;
    }
}
