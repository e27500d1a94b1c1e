package io.credential.benchmarks.cluster;

/** What must hold for every history. */
enum Invariant {
    ONE_LEADER("one leader writes in each term, and terms do not go back"),
    TAKEOVER("another node takes over within the lease plus 3 seconds"),
    ERRORS("every call is answered, and refused only with the specified errors"),
    NO_LOST_KEY("no issued key and no acknowledged change is lost"),
    NO_UNREVOKED_KEY("no token is accepted after its key was revoked or rotated"),
    RECOVERY("all nodes recover without a restart");

    private final String text;

    Invariant(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
