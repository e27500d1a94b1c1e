package io.credential.webhook.delivery.internal.history;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.audit.internal.AuditText;
import io.credential.audit.internal.AuditTrail;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;

/** Reports the start, the end and the cancellation of jobs. Thread-safe. */
final class BulkRetryAudit {

    private static final Logger LOG = LoggerFactory.getLogger(BulkRetryAudit.class);

    private static final String CANCEL = "webhook.bulk-retry.cancel";

    private static final int MAX_ACTOR = 256;

    private final AuditTrail audit;
    private final Supplier<@Nullable String> actor;

    /** @param actor names who is acting on the calling thread, or returns null */
    BulkRetryAudit(AuditTrail audit, Supplier<@Nullable String> actor) {
        this.audit = audit;
        this.actor = actor;
    }

    /**
     * Returns the actor as the audit log stores it; null if there is none, or if it cannot be found out. This must not reject
     * the call.
     */
    @Nullable String actorOrNull() {
        try {
            return AuditText.bounded(actor.get(), MAX_ACTOR);
        } catch (RuntimeException e) {
            LOG.warn("Could not find out who started a bulk retry of webhook deliveries", e);
            return null;
        }
    }

    /** Returns the report of a new job, to be run after the commit. */
    Runnable started(StoredJob stored) {
        return audit.successReport("webhook.bulk-retry.start", stored.id(), conditions(stored.query()));
    }

    /** Returns the report of a finished job, to be run after the commit. */
    Runnable finished(StoredJob stored) {
        return audit.successReport("webhook.bulk-retry.finish", stored.id(), progress(stored));
    }

    /** Returns the report of a cancelled job, to be run after the commit. */
    Runnable cancelled(StoredJob stored) {
        return audit.successReport(CANCEL, stored.id(), progress(stored));
    }

    private static Map<String, Object> progress(StoredJob stored) {
        BulkJob job = stored.job();
        Map<String, Object> facts = conditions(stored.query());
        facts.put("selected", job.selected());
        facts.put("retried", job.done() - job.skipped());
        facts.put("skipped", job.skipped());
        put(facts, "startedBy", stored.startedBy());
        return facts;
    }

    /** Reports that a job that no node has created is not continued; what its row claims is not repeated. */
    void forged(String jobId) {
        audit.failure("webhook.bulk-retry.finish", "integrity", jobId, Map.of());
    }

    /** Reports that such a job is not cancelled. */
    void forgedAtCancellation(String jobId) {
        audit.failure(CANCEL, "integrity", jobId, Map.of());
    }

    private static Map<String, Object> conditions(DeliveryQuery query) {
        Map<String, Object> conditions = new HashMap<>();
        DeliveryStatus status = query.status();
        put(conditions, "endpointId", query.endpointId());
        put(conditions, "eventType", query.eventType());
        put(conditions, "status", status == null ? null : status.text());
        put(conditions, "responseStatus", query.responseStatus());
        put(conditions, "reason", query.reason() == null ? null : query.reason().text());
        put(conditions, "audience", query.audience());
        put(conditions, "createdFrom", query.createdFrom());
        put(conditions, "createdBefore", query.createdBefore());
        put(conditions, "eventId", query.eventId());
        put(conditions, "idempotencyKey", query.idempotencyKey());
        put(conditions, "minAttempts", query.minAttempts() == 0 ? null : query.minAttempts());
        return conditions;
    }

    /** Adds an attribute if it has a value; a time as text. */
    static void put(Map<String, Object> facts, String name, @Nullable Object value) {
        if (value != null) {
            facts.put(name, value instanceof Instant time ? time.toString() : value);
        }
    }
}
