package io.credential.spring.console.internal.key;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import io.credential.spring.operations.internal.ClusterOperations;
import io.credential.spring.operations.internal.ClusterOperations.ClusterState;

/** Tells where keys can be changed: only one node of a cluster changes them. */
public final class Leader {

    private final ClusterOperations cluster;
    private final String path;

    /** @param path of the console */
    public Leader(ClusterOperations cluster, String path) {
        this.cluster = cluster;
        this.path = path;
    }

    /**
     * Whether keys can be changed on this node, and if not, where.
     *
     * @param here whether they can be changed here
     * @param node the id of the leader; null if there is none, or it is this one
     * @param url of the console of the leader; null if it is not known
     */
    public record Place(
            boolean here, @Nullable String node, @Nullable String url) {}

    /** Returns where keys can be changed. Takes a statement if that is not this node. */
    Place place() {
        if (cluster.leads()) {
            return new Place(true, null, null);
        }
        ClusterState state = cluster.state();
        return new Place(state.leads(), state.leader(), console(state.leaderUrl()));
    }

    /** Returns the URL of the console of the leader; null if that is not known, or is not a URL that browsers may open. */
    @Nullable String console(@Nullable String leaderUrl) {
        if (leaderUrl == null) {
            return null;
        }
        String scheme = URI.create(leaderUrl).getScheme();
        boolean isWeb = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
        return isWeb ? leaderUrl.replaceAll("/$", "") + path + "/" + KeysSection.PATH : null;
    }
}
