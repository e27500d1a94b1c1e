package io.credential.audit;

/**
 * Takes audit events; must be thread-safe. Called on the thread that did the work, after commit for successes, so it should
 * be quick. The starter calls it on another thread, under the MDC of the request, for {@code apikey.verify},
 * {@code apikey.authorize} and {@code webhook.verify}, and the dispatcher does for deliveries that die in the background.
 * What a sink throws is counted and logged by the caller and never changes the outcome of the audited operation.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface AuditSink {

    void record(AuditEvent event);

    /** A sink that drops everything. */
    static AuditSink none() {
        return event -> {};
    }
}
