package io.credential.benchmarks.cluster;

import java.util.Locale;

/** How a key is revoked in one round. */
enum Revocation {
    /** On its own. */
    NOTIFIED(1),
    /** Right after another key, so that the sender of notifications pauses. */
    AFTER_ANOTHER(4),
    /** Right after the connections on which the other nodes listen are cut, which cannot listen again meanwhile. */
    CUT(10),
    /** Before these connections are cut, and while no notification of it leaves the leader. The nodes listen again. */
    LOST(10),
    /** While no notification of it leaves the leader. */
    BLOCKED(40);

    private final int divisor;

    Revocation(int divisor) {
        this.divisor = divisor;
    }

    /** Returns how many rounds belong to a number of {@link #NOTIFIED} rounds. */
    int rounds(int notified) {
        return Math.max(1, notified / divisor);
    }

    boolean isCut() {
        return this == CUT || this == LOST;
    }

    /** Returns the name used in the table. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
