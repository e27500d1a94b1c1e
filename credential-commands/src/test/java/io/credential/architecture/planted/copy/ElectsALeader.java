package io.credential.architecture.planted.copy;

import io.credential.architecture.planted.internal.cluster.AuditsItsTerms;

/** Breaks: the copy uses only what it copies. */
public final class ElectsALeader {

    public Object elect() {
        return new AuditsItsTerms();
    }
}
