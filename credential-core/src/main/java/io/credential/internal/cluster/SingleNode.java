package io.credential.internal.cluster;

/** One node is always the leader. */
enum SingleNode implements Leadership {
    INSTANCE;

    @Override
    public boolean isLeader() {
        return true;
    }

    @Override
    public void requireLeader() {
        // nobody else could be
    }
}
