package io.credential.architecture.planted.webhook.http;

import io.credential.architecture.planted.audit.AuditsThroughASeal;

/** Breaks: the policy and the transport of webhooks stand alone. */
public final class AuditsItsRequests {

    public Object audit() {
        return new AuditsThroughASeal();
    }
}
