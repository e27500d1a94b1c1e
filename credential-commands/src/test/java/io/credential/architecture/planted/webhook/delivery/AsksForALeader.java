package io.credential.architecture.planted.webhook.delivery;

import io.credential.architecture.planted.internal.cluster.AuditsItsTerms;

/** Breaks: every node delivers, whoever leads. */
public final class AsksForALeader {

    public Object leader() {
        return new AuditsItsTerms();
    }
}
