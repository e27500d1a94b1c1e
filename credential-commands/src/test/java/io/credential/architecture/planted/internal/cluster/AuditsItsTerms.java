package io.credential.architecture.planted.internal.cluster;

import io.credential.architecture.planted.audit.AuditsThroughASeal;

/** Breaks: cluster knows nothing of what it guards. */
public final class AuditsItsTerms {

    public Object audit() {
        return new AuditsThroughASeal();
    }
}
