package io.credential.audit;

import io.credential.audit.internal.NoAuditSink;

/**
 * Records audit events; must be thread-safe. It is called on the thread that did the work, for successes after the
 * commit, so it should be fast. The starter calls it on another thread, under the MDC of the request, for {@code
 * apikey.verify}, {@code apikey.redeem}, {@code apikey.authorize} and {@code webhook.verify}, and so does the
 * dispatcher for deliveries that die in the background. The caller counts and logs what a sink throws; the outcome of the audited operation never
 * changes.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface AuditSink {

    void record(AuditEvent event);

    /** Returns a sink that drops every event. */
    static AuditSink none() {
        return NoAuditSink.INSTANCE;
    }
}
