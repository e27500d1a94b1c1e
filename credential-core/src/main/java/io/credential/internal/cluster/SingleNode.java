package io.credential.internal.cluster;

import java.util.OptionalLong;

/** One node is always the leader. */
enum SingleNode implements Leadership {
    INSTANCE;

    @Override
    public OptionalLong epoch() {
        return OptionalLong.of(0);
    }

    @Override
    public void requireLeader() {
        // nobody else could be
    }
}
