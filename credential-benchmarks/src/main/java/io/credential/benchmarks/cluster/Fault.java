package io.credential.benchmarks.cluster;

import java.util.Locale;

/** What is done to the cluster in one round. */
enum Fault {
    /** {@code kill -9} of the leader. */
    KILL(true),
    /** SIGSTOP of the leader, and SIGCONT after 30 seconds. */
    PAUSE(true),
    /** Connections of the leader to the database are reset, and refused for 15 seconds. */
    CUT(true),
    /** No byte passes between the leader and the database for 15 seconds. */
    STALL(true),
    /** PostgreSQL is restarted after a fast shutdown. */
    RESTART_FAST(false),
    /** PostgreSQL is restarted after an immediate shutdown, and recovers as after a crash. */
    RESTART_IMMEDIATE(false),
    /** PostgreSQL crashes, and a synchronous replica is promoted after 15 seconds. */
    FAILOVER(false);

    private final boolean againstLeader;

    Fault(boolean againstLeader) {
        this.againstLeader = againstLeader;
    }

    /** Whether only the leader is affected, so that another node must take over. */
    boolean isAgainstLeader() {
        return againstLeader;
    }

    /** Returns the name used in arguments and in the table. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
