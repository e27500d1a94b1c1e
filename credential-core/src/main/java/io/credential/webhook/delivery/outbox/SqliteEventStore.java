package io.credential.webhook.delivery.outbox;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.Subscriber;

/** Stores events one after the other in one transaction; each statement is a call within the process. */
final class SqliteEventStore extends EventStore {

    private static final String INSERT_EVENT = """
            INSERT INTO {events} (event_id, event_type, audience, idempotency_key, payload_digest, payload, trace_parent,
                created_at)
            VALUES (:eventId, :eventType, :audience, :idempotencyKey, :payloadDigest, :payload, :traceParent, :createdAt)
            ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING""";

    /**
     * Uses the primary key of the subscriptions. An endpoint that subscribes both to the event type and to {@code *} appears
     * once. The id of a delivery is a prefix followed by a number of eight digits.
     */
    private static final String FIND_SUBSCRIBERS = """
            SELECT :prefix || CAST(10000000 + row_number() OVER (ORDER BY e.endpoint_id) AS TEXT) AS delivery_id,
                e.endpoint_id, e.audience, %s
            FROM {endpoints} e
            WHERE e.endpoint_id IN (
                SELECT s.endpoint_id FROM {subscriptions} s WHERE s.event_type IN (:eventType, '*'))
              AND (:audience IS NULL OR e.audience = :audience)
            ORDER BY e.endpoint_id""".formatted(Subscriber.COLUMNS);

    private static final String FAN_OUT = """
            INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, audience, status, attempts, next_attempt_at,
                claimed_at, claim_token, claim_owner, created_at)
            VALUES (:deliveryId, :eventId, :endpointId, :audience, :status, 0, :createdAt,
                :claimedAt, :token, :owner, :createdAt)""";

    private final String insertEvent;
    private final String findSubscribers;
    private final String fanOut;

    SqliteEventStore(CredentialDatabase database, DispatcherTables tables, Supplier<Set<String>> fullEndpoints) {
        super(database, tables, fullEndpoints);
        this.insertEvent = tables.in(INSERT_EVENT);
        this.findSubscribers = tables.in(FIND_SUBSCRIBERS);
        this.fanOut = tables.in(FAN_OUT);
    }

    @Override
    boolean detectsSavepoints() {
        return false;
    }

    @Override
    StoredEvent store(NewEvent event) {
        return database.inTransaction(() -> insertAll(event));
    }

    @Override
    List<StoredEvent> storeAll(List<NewEvent> events) {
        return database.inTransaction(() -> events.stream().map(this::insertAll).toList());
    }

    private StoredEvent insertAll(NewEvent newEvent) {
        Event event = newEvent.event();
        if (!insert(event)) {
            return StoredEvent.REPEATED;
        }
        Set<String> full = fullEndpoints.get();
        List<FannedOut> deliveries = database.jdbc()
                .sql(findSubscribers)
                .param("prefix", EventIdGenerator.deliveryPrefix(event.eventId()))
                .param("eventType", event.eventType())
                .param("audience", event.audience())
                .query((row, number) -> fannedOut(
                        row,
                        newEvent.claim() != null
                                && !row.getBoolean("paused")
                                && Subscriber.rateLimit(row) == null
                                && !full.contains(row.getString("endpoint_id"))))
                .list();
        database.batchUpdate(
                fanOut,
                deliveries.stream()
                        .map(delivery -> row(event, newEvent.claim(), delivery))
                        .toList());
        return new StoredEvent(true, deliveries);
    }

    private boolean insert(Event event) {
        return database.jdbc()
                        .sql(insertEvent)
                        .param("eventId", event.eventId())
                        .param("eventType", event.eventType())
                        .param("audience", event.audience())
                        .param("idempotencyKey", event.idempotencyKey())
                        .param("payloadDigest", event.payloadDigest())
                        .param("payload", event.payload().bytes())
                        .param("traceParent", event.traceParent())
                        .param("createdAt", event.createdAt())
                        .update()
                == 1;
    }

    private static SqlParameterSource row(Event event, @Nullable Claim claim, FannedOut delivery) {
        MapSqlParameterSource row = new MapSqlParameterSource("deliveryId", delivery.deliveryId())
                .addValue("eventId", event.eventId())
                .addValue("endpointId", delivery.endpointId())
                .addValue("audience", delivery.audience())
                .addValue("createdAt", event.createdAt());
        return claim == null || !delivery.reserved()
                ? row.addValue("status", DeliveryStatus.PENDING.text())
                        .addValue("claimedAt", null)
                        .addValue("token", null)
                        .addValue("owner", null)
                : row.addValue("status", DeliveryStatus.IN_FLIGHT.text())
                        .addValue("claimedAt", claim.claimedAt())
                        .addValue("token", claim.token())
                        .addValue("owner", claim.owner());
    }
}
