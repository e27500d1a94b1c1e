package io.credential.architecture.planted.concurrent;

import io.credential.architecture.planted.cluster.AuditsItsTerms;

/** Breaks: concurrent stands alone. */
public final class RunsTheElection {

    public Object elect() {
        return new AuditsItsTerms();
    }
}
