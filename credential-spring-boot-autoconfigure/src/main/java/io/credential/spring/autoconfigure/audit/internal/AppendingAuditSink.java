package io.credential.spring.autoconfigure.audit.internal;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;

/**
 * Appends events to the audit log in the database, which has its own queue, and then records them elsewhere.
 *
 * @param log never throws
 */
public record AppendingAuditSink(AuditSink log, AuditSink others) implements AuditSink {

    @Override
    public void record(AuditEvent event) {
        log.record(event);
        others.record(event);
    }
}
