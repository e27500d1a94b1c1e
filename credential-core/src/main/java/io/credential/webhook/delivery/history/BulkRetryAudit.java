package io.credential.webhook.delivery.history;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditTrail;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.history.BulkJobStore.StoredJob;

/** Reports the start and the end of jobs. Thread-safe. */
final class BulkRetryAudit {

    private final AuditTrail audit;

    BulkRetryAudit(AuditTrail audit) {
        this.audit = audit;
    }

    /** Returns the report of a new job, to be run after the commit. */
    Runnable started(StoredJob stored) {
        return audit.successReport("webhook.bulk-retry.start", stored.id(), conditions(stored.query()));
    }

    /** Returns the report of a finished job, to be run after the commit. */
    Runnable finished(StoredJob stored) {
        BulkJob job = stored.job();
        Map<String, Object> facts = conditions(stored.query());
        facts.put("selected", job.selected());
        facts.put("retried", job.done() - job.skipped());
        facts.put("skipped", job.skipped());
        put(facts, "startedBy", stored.startedBy());
        return audit.successReport("webhook.bulk-retry.finish", stored.id(), facts);
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
