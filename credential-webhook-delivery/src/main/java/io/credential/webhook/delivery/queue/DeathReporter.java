package io.credential.webhook.delivery.queue;

import java.util.Map;

import io.credential.audit.AuditTrail;
import io.credential.webhook.delivery.DeadReason;

/**
 * Reports dead deliveries as the audit event {@code webhook.delivery.dead}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DeathReporter {

    private final AuditTrail audit;

    public DeathReporter(AuditTrail audit) {
        this.audit = audit;
    }

    public void died(String deliveryId, String endpointId, String eventType, int attempts, DeadReason reason) {
        audit.failure(
                "webhook.delivery.dead",
                reason.text(),
                deliveryId,
                Map.of("endpointId", endpointId, "eventType", eventType, "attempts", attempts));
    }
}
