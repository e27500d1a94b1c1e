package io.credential.webhook.delivery;

import java.util.Map;

import io.credential.audit.AuditTrail;

/** Reports every delivery that dies as {@code webhook.delivery.dead}. Thread-safe. */
final class DeathReporter {

    private final AuditTrail audit;

    DeathReporter(AuditTrail audit) {
        this.audit = audit;
    }

    void died(String deliveryId, String endpointId, String eventType, int attempts, DeadReason reason) {
        audit.failure(
                "webhook.delivery.dead",
                reason.text(),
                deliveryId,
                Map.of("endpointId", endpointId, "eventType", eventType, "attempts", attempts));
    }
}
