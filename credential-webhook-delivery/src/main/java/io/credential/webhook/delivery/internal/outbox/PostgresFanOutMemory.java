package io.credential.webhook.delivery.internal.outbox;

import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.PostgresArray;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/**
 * Remembers which endpoints the events of a type and an audience reached, and stores further ones by a statement that only
 * verifies this, which takes PostgreSQL less time than finding the endpoints and returning them. Thread-safe.
 *
 * <p>The statement compares a fingerprint of the rows of all endpoints that it would reach. What is remembered may
 * therefore come from any transaction, and be as old as it likes.
 */
final class PostgresFanOutMemory {

    /**
     * The part of an endpoint {@code e}; that of several is the exclusive or of all parts. With the seed, nobody can choose
     * endpoints that cancel each other out.
     */
    static final String FINGERPRINT = "hash_record_extended(e, :seed)";

    /** The endpoints {@code e} of an event. */
    static final String IS_REACHED = """
            e.endpoint_id = ANY (ARRAY(
                    SELECT s.endpoint_id FROM {subscriptions} s WHERE s.event_type IN (:eventType, '*')))
                  AND (CAST(:audience AS TEXT) IS NULL OR e.audience = :audience)""";

    /** Whether no savepoint can roll the row back alone, and no snapshot of the transaction shows former endpoints. */
    static final String IS_FINAL = "xmin = CAST(pg_current_xact_id() AS xid)"
            + " AND current_setting('transaction_isolation') = 'read committed' AS is_final";

    private static final String STORE = """
            WITH stored AS (
                INSERT INTO {events} (event_id, event_type, audience, payload, trace_parent, created_at)
                SELECT :eventId, :eventType, :audience, :payload, :traceParent, :createdAt
                WHERE (SELECT bit_xor(%s) FROM {endpoints} e WHERE %s) = :fingerprint
                RETURNING %s
            )
            INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, audience, status, attempts, next_attempt_at,
                claimed_at, claim_token, claim_owner, created_at)
            SELECT d.delivery_id, :eventId, d.endpoint_id, d.audience,
                CASE WHEN is_final AND d.reserved THEN 'in-flight' ELSE 'pending' END, 0, :createdAt,
                CASE WHEN is_final AND d.reserved THEN CAST(:claimedAt AS BIGINT) END,
                CASE WHEN is_final AND d.reserved THEN CAST(:token AS BIGINT) END,
                CASE WHEN is_final AND d.reserved THEN CAST(:owner AS TEXT) END, :createdAt
            FROM stored CROSS JOIN %s
            RETURNING delivery_id, claim_owner IS NOT NULL AS reserved""";

    /** Without a function: most events reach one endpoint. */
    private static final String ONE_DELIVERY = """
            (SELECT CAST(:deliveryId AS TEXT) AS delivery_id, CAST(:endpointId AS TEXT) AS endpoint_id,
                CAST(:endpointAudience AS TEXT) AS audience, CAST(:reserved AS BOOLEAN) AS reserved) d""";

    private static final String MANY_DELIVERIES =
            "unnest(:deliveryIds, :endpointIds, :audiences, :reserved) AS d (delivery_id, endpoint_id, audience, reserved)";

    private static final long MAX_REMEMBERED_CHARACTERS = 8L * 1024 * 1024;
    private static final int CHARACTERS_OF_AN_OBJECT = 250;

    private final CredentialDatabase database;
    private final long seed;
    private final String storeOne;
    private final String storeMany;
    private final Cache<Reach, FanOut> fanOuts = Caffeine.newBuilder()
            .maximumWeight(MAX_REMEMBERED_CHARACTERS)
            .weigher((Reach reach, FanOut fanOut) -> fanOut.characters())
            .build();

    /** @param seed of the fingerprints, unknown to others */
    PostgresFanOutMemory(CredentialDatabase database, DispatcherTables tables, long seed) {
        this.database = database;
        this.seed = seed;
        this.storeOne = tables.in(STORE.formatted(FINGERPRINT, IS_REACHED, IS_FINAL, ONE_DELIVERY));
        this.storeMany = tables.in(STORE.formatted(FINGERPRINT, IS_REACHED, IS_FINAL, MANY_DELIVERIES));
    }

    private record Reach(String eventType, @Nullable String audience) {

        static Reach of(Event event) {
            return new Reach(event.eventType(), event.audience());
        }
    }

    /** @param endpoints in the order of their ids, at least one */
    private record FanOut(long fingerprint, List<Endpoint> endpoints) {

        int characters() {
            return endpoints.stream().mapToInt(Endpoint::characters).sum();
        }

        boolean mayReceive(Event event) {
            return !event.avoidsAudiences()
                    || endpoints.stream()
                            .allMatch(endpoint -> endpoint.subscriber().audience() == null);
        }
    }

    private record Endpoint(String endpointId, Subscriber subscriber) {

        int characters() {
            return CHARACTERS_OF_AN_OBJECT
                    + Stream.of(
                                    subscriber.url(),
                                    subscriber.headersCell(),
                                    subscriber.secrets().current(),
                                    subscriber.secrets().previous())
                            .filter(Objects::nonNull)
                            .mapToInt(String::length)
                            .sum();
        }
    }

    /** A delivery to store, reserved if this is possible. */
    private record PlannedDelivery(String deliveryId, Endpoint endpoint, boolean reserved) {

        @Nullable String audience() {
            return endpoint.subscriber().audience();
        }
    }

    /**
     * Remembers the deliveries of an event that was stored.
     *
     * @param fingerprint of all its endpoints
     */
    void remember(Event event, List<FannedOut> deliveries, long fingerprint) {
        if (!deliveries.isEmpty()) {
            List<Endpoint> endpoints = deliveries.stream()
                    .map(delivery -> new Endpoint(delivery.endpointId(), delivery.subscriber()))
                    .toList();
            fanOuts.put(Reach.of(event), new FanOut(fingerprint, endpoints));
        }
    }

    /**
     * Stores an event without an idempotency key for the endpoints that earlier ones reached.
     *
     * @param full endpoints for which this node has no capacity
     * @return empty, and nothing is stored, if no endpoints are remembered, they have changed, or the event must not reach
     *     them
     */
    Optional<StoredEvent> store(NewEvent newEvent, Set<String> full) {
        Event event = newEvent.event();
        FanOut fanOut = fanOuts.getIfPresent(Reach.of(event));
        if (event.idempotencyKey() != null || fanOut == null || !fanOut.mayReceive(event)) {
            return Optional.empty();
        }
        List<PlannedDelivery> planned = planned(newEvent, fanOut, full);
        Map<String, Boolean> reserved = new HashMap<>();
        withDeliveries(withEvent(database.jdbc().sql(planned.size() == 1 ? storeOne : storeMany), newEvent), planned)
                .param("fingerprint", fanOut.fingerprint())
                .param("seed", seed)
                .query(row -> {
                    reserved.put(row.getString("delivery_id"), row.getBoolean("reserved"));
                });
        return reserved.isEmpty() ? Optional.empty() : Optional.of(new StoredEvent(true, fannedOut(planned, reserved)));
    }

    private static List<PlannedDelivery> planned(NewEvent newEvent, FanOut fanOut, Set<String> full) {
        String prefix = EventIdGenerator.deliveryPrefix(newEvent.event().eventId());
        List<PlannedDelivery> planned = new ArrayList<>(fanOut.endpoints().size());
        for (Endpoint endpoint : fanOut.endpoints()) {
            String deliveryId = prefix + (EventStore.FIRST_DELIVERY + planned.size());
            planned.add(new PlannedDelivery(
                    deliveryId,
                    endpoint,
                    newEvent.claim() != null
                            && mayReserve(endpoint.subscriber())
                            && !full.contains(endpoint.endpointId())));
        }
        return planned;
    }

    private static boolean mayReserve(Subscriber subscriber) {
        return !subscriber.paused() && subscriber.rateLimit() == null;
    }

    private static JdbcClient.StatementSpec withEvent(JdbcClient.StatementSpec statement, NewEvent newEvent) {
        Event event = newEvent.event();
        Claim claim = newEvent.claim();
        return statement
                .param("eventId", event.eventId())
                .param("eventType", event.eventType())
                .param("audience", event.audience(), Types.VARCHAR)
                .param("payload", event.payload().bytes())
                .param("traceParent", event.traceParent(), Types.VARCHAR)
                .param("createdAt", event.createdAt())
                .param("token", claim == null ? null : claim.token(), Types.BIGINT)
                .param("owner", claim == null ? null : claim.owner(), Types.VARCHAR)
                .param("claimedAt", claim == null ? null : claim.claimedAt(), Types.BIGINT);
    }

    private static JdbcClient.StatementSpec withDeliveries(
            JdbcClient.StatementSpec statement, List<PlannedDelivery> planned) {
        if (planned.size() == 1) {
            PlannedDelivery delivery = planned.get(0);
            return statement
                    .param("deliveryId", delivery.deliveryId())
                    .param("endpointId", delivery.endpoint().endpointId())
                    .param("endpointAudience", delivery.audience(), Types.VARCHAR)
                    .param("reserved", delivery.reserved());
        }
        return statement
                .param("deliveryIds", array("text", planned, PlannedDelivery::deliveryId))
                .param(
                        "endpointIds",
                        array("text", planned, delivery -> delivery.endpoint().endpointId()))
                .param("audiences", array("text", planned, PlannedDelivery::audience))
                .param("reserved", array("bool", planned, PlannedDelivery::reserved));
    }

    private static PostgresArray array(
            String type, List<PlannedDelivery> planned, Function<PlannedDelivery, @Nullable Object> value) {
        return PostgresArray.of(type, planned, value);
    }

    private static List<FannedOut> fannedOut(List<PlannedDelivery> planned, Map<String, Boolean> reserved) {
        return planned.stream()
                .map(delivery -> new FannedOut(
                        delivery.deliveryId(),
                        delivery.endpoint().endpointId(),
                        delivery.audience(),
                        delivery.endpoint().subscriber(),
                        reserved.getOrDefault(delivery.deliveryId(), false)))
                .toList();
    }
}
