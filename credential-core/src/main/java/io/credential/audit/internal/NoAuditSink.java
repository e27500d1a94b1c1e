package io.credential.audit.internal;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;

/** Drops every event. A singleton, so that no events are created for it. */
public enum NoAuditSink implements AuditSink {
    INSTANCE;

    @Override
    public void record(AuditEvent event) {}
}
