package io.credential.architecture.planted.webhook.http;

import io.credential.architecture.planted.audit.AuditsThroughASeal;

/** Breaks: the policy and the transport of webhooks do not know what is sent. */
public final class AuditsItsRequests {

    public Object audit() {
        return new AuditsThroughASeal();
    }
}
