package io.credential.testing;

import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LeadershipRequiredException;

/**
 * The leadership of a node that never leads.
 *
 * @param leaderUrl of the node that leads; null if unknown
 */
public record OtherLeads(@Nullable String leaderUrl) implements Leadership {

    public OtherLeads() {
        this(null);
    }

    @Override
    public OptionalLong epoch() {
        return OptionalLong.empty();
    }

    @Override
    public void requireLeader() {
        throw new LeadershipRequiredException(null, leaderUrl);
    }
}
