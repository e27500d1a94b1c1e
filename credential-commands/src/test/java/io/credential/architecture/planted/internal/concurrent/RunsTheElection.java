package io.credential.architecture.planted.internal.concurrent;

import io.credential.architecture.planted.internal.cluster.AuditsItsTerms;

/** Breaks: concurrent stands alone. */
public final class RunsTheElection {

    public Object elect() {
        return new AuditsItsTerms();
    }
}
