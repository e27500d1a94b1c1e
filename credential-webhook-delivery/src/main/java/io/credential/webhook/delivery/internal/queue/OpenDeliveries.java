package io.credential.webhook.delivery.internal.queue;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.ratelimit.RateLimit;

/**
 * Deliveries that are neither delivered nor dead, nor held because their endpoint is paused.
 *
 * @param holdsOpen whether there are any, pending or in flight
 * @param holdsSuspects whether any of them was in flight when two nodes in a row died
 * @param dueAts when the first pending delivery of each endpoint is due, in Unix milliseconds; up to the time of the scan
 * @param rateLimits the rate limits of these endpoints, as far as they have any
 */
public record OpenDeliveries(
        boolean holdsOpen, boolean holdsSuspects, Map<String, Long> dueAts, Map<String, RateLimit> rateLimits) {

    static OpenDeliveries read(JdbcClient.StatementSpec statement) {
        Map<String, Long> dueAts = new HashMap<>();
        Map<String, RateLimit> rateLimits = new HashMap<>();
        AtomicBoolean holdsOpen = new AtomicBoolean();
        AtomicBoolean holdsSuspects = new AtomicBoolean();
        statement.query(row -> {
            String endpointId = row.getString("endpoint_id");
            if (endpointId == null) {
                holdsOpen.set(true);
                holdsSuspects.set(row.getLong("due_at") == 1);
            } else {
                dueAts.put(endpointId, row.getLong("due_at"));
                RateLimit rateLimit = Subscriber.rateLimit(row);
                if (rateLimit != null) {
                    rateLimits.put(endpointId, rateLimit);
                }
            }
        });
        return new OpenDeliveries(holdsOpen.get(), holdsSuspects.get(), dueAts, rateLimits);
    }
}
