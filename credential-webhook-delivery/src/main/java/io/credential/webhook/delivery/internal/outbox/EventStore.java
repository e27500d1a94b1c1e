package io.credential.webhook.delivery.internal.outbox;

import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.Payload;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/** Stores events with a delivery for each endpoint that subscribes to them. Thread-safe. */
abstract class EventStore {

    private static final String FIND_BY_KEY = """
            SELECT event_id, event_type, audience, payload_digest, payload FROM {events}
            WHERE idempotency_key = :idempotencyKey""";

    /** The ids of the deliveries of an event end with numbers of eight digits that begin here. */
    static final int FIRST_DELIVERY = 10_000_001;

    private static final String FIND_ENDPOINT = "SELECT e.endpoint_id, e.audience, " + Subscriber.COLUMNS
            + " FROM {endpoints} e WHERE e.endpoint_id = :endpointId"
            + " AND (CAST(:audience AS TEXT) IS NULL OR e.audience = :audience)";

    private static final String INSERT_EVENT = """
            INSERT INTO {events} (event_id, event_type, audience, idempotency_key, payload_digest, payload, trace_parent,
                created_at)
            SELECT :eventId, :eventType, :audience, :idempotencyKey, :payloadDigest, :payload, :traceParent, :createdAt
            WHERE NOT :avoidsAudiences OR NOT EXISTS (
                SELECT 1 FROM {subscriptions} s
                JOIN {endpoints} e ON e.endpoint_id = s.endpoint_id
                WHERE s.event_type IN (:subscriptions) AND e.audience IS NOT NULL)
            ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING""";

    private static final String INSERT_DELIVERY = """
            INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, audience, status, attempts, next_attempt_at,
                claimed_at, claim_token, claim_owner, created_at)
            VALUES (:deliveryId, :eventId, :endpointId, :audience, :status, 0, :createdAt,
                :claimedAt, :token, :owner, :createdAt)""";

    final CredentialDatabase database;
    final Supplier<Set<String>> fullEndpoints;
    final String insertDelivery;
    private final String findByKey;
    private final String findEndpoint;
    private final String insertEvent;

    EventStore(CredentialDatabase database, DispatcherTables tables, Supplier<Set<String>> fullEndpoints) {
        this.database = database;
        this.fullEndpoints = fullEndpoints;
        this.findByKey = tables.in(FIND_BY_KEY);
        this.findEndpoint = tables.in(FIND_ENDPOINT);
        this.insertEvent = tables.in(INSERT_EVENT);
        this.insertDelivery = tables.in(INSERT_DELIVERY);
    }

    /** @param fullEndpoints returns the endpoints for which this node has no capacity; their deliveries are stored as pending */
    static EventStore of(
            CredentialDatabase database,
            DispatcherTables tables,
            Supplier<Set<String>> fullEndpoints,
            SecureRandom random) {
        return switch (database.dialect()) {
            case POSTGRESQL -> new PostgresEventStore(database, tables, fullEndpoints, random);
            case SQLITE -> new SqliteEventStore(database, tables, fullEndpoints);
        };
    }

    /**
     * Returns whether savepoints are detected; deliveries below one are then not reserved, because it can be rolled back
     * although its transaction commits.
     */
    abstract boolean detectsSavepoints();

    /** Stores an event with its deliveries, in the caller's transaction if there is one. */
    abstract StoredEvent store(NewEvent event);

    /**
     * Stores all events with their deliveries, or none, outside a transaction of the caller.
     *
     * @param events have no idempotency keys
     * @return the results in the same order
     */
    abstract List<StoredEvent> storeAll(List<NewEvent> events);

    /**
     * Stores an event with a delivery to one endpoint, whatever it subscribes to. The event is for every audience, and
     * has no idempotency key.
     *
     * @param audience whose endpoint it must be; null for any
     * @return the delivery; empty if the endpoint does not exist; nothing is stored then
     */
    Optional<FannedOut> storeFor(String endpointId, @Nullable String audience, NewEvent newEvent) {
        return database.inTransaction(() -> {
            Event event = newEvent.event();
            String deliveryId = EventIdGenerator.deliveryPrefix(event.eventId()) + FIRST_DELIVERY;
            Optional<FannedOut> found = database.jdbc()
                    .sql(findEndpoint)
                    .param("endpointId", endpointId)
                    .param("audience", audience)
                    .query((row, number) -> new FannedOut(
                            deliveryId,
                            endpointId,
                            row.getString("audience"),
                            Objects.requireNonNull(Subscriber.read(row, "audience")),
                            newEvent.claim() != null))
                    .optional();
            found.ifPresent(delivery -> {
                var unused = insert(event); // without an idempotency key, it is never a repetition
                database.jdbc()
                        .sql(insertDelivery)
                        .paramSource(row(event, newEvent.claim(), delivery))
                        .update();
            });
            return found;
        });
    }

    /**
     * Returns false, and stores nothing, if an event with the same idempotency key is stored, or if the event has no
     * audience and would reach an endpoint that has one.
     */
    boolean insert(Event event) {
        return database.jdbc()
                        .sql(insertEvent)
                        .param("eventId", event.eventId())
                        .param("eventType", event.eventType())
                        .param("subscriptions", Subscriptions.to(event.eventType()))
                        .param("audience", event.audience())
                        .param("avoidsAudiences", event.avoidsAudiences())
                        .param("idempotencyKey", event.idempotencyKey())
                        .param("payloadDigest", event.payloadDigest())
                        .param("payload", event.payload().bytes())
                        .param("traceParent", event.traceParent())
                        .param("createdAt", event.createdAt())
                        .update()
                == 1;
    }

    /** Returns the parameters of {@link #insertDelivery}. */
    static SqlParameterSource row(Event event, @Nullable Claim claim, FannedOut delivery) {
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

    /** Returns the event that was stored under an idempotency key. */
    Optional<EarlierEvent> findByKey(String idempotencyKey) {
        return database.jdbc()
                .sql(findByKey)
                .param("idempotencyKey", idempotencyKey)
                .query((row, number) -> new EarlierEvent(
                        row.getString("event_id"),
                        row.getString("event_type"),
                        row.getString("audience"),
                        row.getString("payload_digest"),
                        payload(row)))
                .optional();
    }

    private static @Nullable Payload payload(ResultSet row) throws SQLException {
        byte[] bytes = row.getBytes("payload");
        return bytes == null ? null : Payload.stored(bytes);
    }

    /** Reads a delivery together with its endpoint. */
    static FannedOut fannedOut(ResultSet row, boolean reserved) throws SQLException {
        return new FannedOut(
                row.getString("delivery_id"),
                row.getString("endpoint_id"),
                row.getString("audience"),
                Objects.requireNonNull(Subscriber.read(row, "audience")),
                reserved);
    }
}
