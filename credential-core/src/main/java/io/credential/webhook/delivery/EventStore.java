package io.credential.webhook.delivery;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.CredentialDatabase;

/** Stores events and fans them out into deliveries. Thread-safe. */
final class EventStore {

    private static final String INSERT_EVENT = """
            INSERT INTO {events} (event_id, event_type, audience, idempotency_key, payload, created_at)
            VALUES (:eventId, :eventType, :audience, :idempotencyKey, :payload, :now)
            ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING""";

    private static final String FIND_BY_KEY = """
            SELECT event_id, event_type, audience, payload FROM {events} WHERE idempotency_key = :idempotencyKey""";

    /** Who subscribes, by the primary key of the subscriptions; one who subscribes twice over is there once. */
    private static final String SUBSCRIBERS = """
            {endpoints} e
            WHERE e.endpoint_id IN (
                SELECT s.endpoint_id FROM {subscriptions} s WHERE s.event_type IN (:eventType, '*'))
              AND (CAST(:audience AS TEXT) IS NULL OR e.audience = :audience)""";

    /** Numbers are digits of ids: eight digits follow those of the event. */
    private static final String FAN_OUT = """
            INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, audience, status, attempts, next_attempt_at,
                claimed_at, claim_token, claim_owner, created_at)
            SELECT :prefix || CAST(10000000 + row_number() OVER (ORDER BY e.endpoint_id) AS TEXT), :eventId,
                e.endpoint_id, e.audience, :status, :attempts, :now, CAST(:claimedAt AS BIGINT), CAST(:token AS BIGINT),
                CAST(:owner AS TEXT), :now
            FROM %s
            RETURNING delivery_id, endpoint_id, audience""".formatted(SUBSCRIBERS);

    private static final String FIND_SUBSCRIBERS =
            "SELECT e.endpoint_id, e.url, e.secret, e.audience, e.payload_format FROM " + SUBSCRIBERS;

    private static final String FIND_PAYLOAD = "SELECT payload FROM {events} WHERE event_id = :eventId";

    private final CredentialDatabase database;
    private final String insertEvent;
    private final String findByKey;
    private final String fanOut;
    private final String findSubscribers;
    private final String findPayload;

    EventStore(CredentialDatabase database, DispatcherTables tables) {
        this.database = database;
        this.insertEvent = tables.in(INSERT_EVENT);
        this.findByKey = tables.in(FIND_BY_KEY);
        this.fanOut = tables.in(FAN_OUT);
        this.findSubscribers = tables.in(FIND_SUBSCRIBERS);
        this.findPayload = tables.in(FIND_PAYLOAD);
    }

    /**
     * A delivery that a fan-out has made.
     *
     * @param audience of the endpoint; null for none
     */
    record FannedOut(String endpointId, @Nullable String audience) {}

    /**
     * Stores an event.
     *
     * @return false when its idempotency key was used before
     */
    boolean insert(Event event) {
        return statement(insertEvent, event)
                        .param("eventId", event.eventId())
                        .param("idempotencyKey", event.idempotencyKey())
                        .param("payload", event.payload().bytes())
                        .param("now", event.createdAt())
                        .update()
                == 1;
    }

    /** The event that was stored under an idempotency key, without its time. */
    Optional<Event> findByKey(String idempotencyKey) {
        return database.jdbc()
                .sql(findByKey)
                .param("idempotencyKey", idempotencyKey)
                .query((row, number) -> new Event(
                        row.getString("event_id"),
                        row.getString("event_type"),
                        row.getString("audience"),
                        idempotencyKey,
                        Payload.stored(row.getBytes("payload")),
                        0))
                .optional();
    }

    /**
     * Makes a delivery for each endpoint that subscribes to an event.
     *
     * @param claim under which they are in flight; null leaves them pending and due
     * @return the deliveries by their ids, in the order of these ids
     */
    SortedMap<String, FannedOut> fanOut(Event event, @Nullable Claim claim) {
        DeliveryStatus status = claim == null ? DeliveryStatus.PENDING : DeliveryStatus.IN_FLIGHT;
        SortedMap<String, FannedOut> deliveries = new TreeMap<>();
        statement(fanOut, event)
                .param("prefix", EventIds.deliveryPrefix(event.eventId()))
                .param("eventId", event.eventId())
                .param("status", status.text())
                .param("attempts", claim == null ? 0 : 1)
                .param("now", event.createdAt())
                .param("claimedAt", claim == null ? null : claim.claimedAt())
                .param("token", claim == null ? null : claim.token())
                .param("owner", claim == null ? null : claim.owner())
                .query(row -> {
                    deliveries.put(
                            row.getString("delivery_id"),
                            new FannedOut(row.getString("endpoint_id"), row.getString("audience")));
                });
        return deliveries;
    }

    /** The endpoints that subscribe to an event, by their ids. */
    Map<String, Subscriber> subscribers(Event event) {
        Map<String, Subscriber> subscribers = new HashMap<>();
        statement(findSubscribers, event).query(row -> {
            subscribers.put(
                    row.getString("endpoint_id"), Objects.requireNonNull(ClaimedRows.subscriber(row, "audience")));
        });
        return subscribers;
    }

    /**
     * The payload of a stored event.
     *
     * @throws DataAccessException if the database does not answer, or the event was removed
     */
    Payload payload(String eventId) {
        return Payload.stored(database.jdbc()
                .sql(findPayload)
                .param("eventId", eventId)
                .query((row, number) -> row.getBytes(1))
                .single());
    }

    private JdbcClient.StatementSpec statement(String sql, Event event) {
        return database.jdbc().sql(sql).param("eventType", event.eventType()).param("audience", event.audience());
    }
}
