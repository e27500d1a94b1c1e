package io.credential.webhook.delivery.internal.outbox;

import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.PostgresArray;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/**
 * Remembers which endpoints the events of a type and an audience reached, and stores further ones by a statement that only
 * verifies this, which takes PostgreSQL less time than finding the endpoints and returning them. Thread-safe.
 *
 * <p>The statement compares a fingerprint of the rows of all endpoints that it would reach. It therefore does not matter how
 * old what is remembered is, nor whether the transaction that it comes from was committed.
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
                    SELECT s.endpoint_id FROM {subscriptions} s WHERE s.event_type = ANY (:subscriptions)))
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

    /** @param deliveries of the last event, in the order of their endpoints' ids; at least one */
    private record FanOut(long fingerprint, List<FannedOut> deliveries) {

        int characters() {
            return deliveries.stream()
                    .mapToInt(delivery -> characters(delivery.subscriber()))
                    .sum();
        }

        private static int characters(Subscriber subscriber) {
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

        boolean mayReceive(Event event) {
            return !event.avoidsAudiences() || deliveries.stream().allMatch(delivery -> delivery.audience() == null);
        }
    }

    /**
     * Remembers the deliveries of an event that was stored.
     *
     * @param fingerprint of all its endpoints
     */
    void remember(Event event, List<FannedOut> deliveries, long fingerprint) {
        if (!deliveries.isEmpty()) {
            fanOuts.put(Reach.of(event), new FanOut(fingerprint, List.copyOf(deliveries)));
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
        List<FannedOut> planned = planned(newEvent, fanOut, full);
        Set<String> reserved = new HashSet<>();
        AtomicBoolean isStored = new AtomicBoolean();
        String sql = planned.size() == 1 ? storeOne : storeMany;
        withDeliveries(PostgresEventStore.withEvent(database.jdbc().sql(sql), newEvent), planned)
                .param("fingerprint", fanOut.fingerprint())
                .param("seed", seed)
                .query(row -> {
                    isStored.set(true);
                    if (row.getBoolean("reserved")) {
                        reserved.add(row.getString("delivery_id"));
                    }
                });
        return isStored.get()
                ? Optional.of(new StoredEvent(
                        true,
                        planned.stream()
                                .map(delivery ->
                                        of(delivery, delivery.deliveryId(), reserved.contains(delivery.deliveryId())))
                                .toList()))
                : Optional.empty();
    }

    /** Returns the deliveries to store; they should be reserved as far as possible. */
    private static List<FannedOut> planned(NewEvent newEvent, FanOut fanOut, Set<String> full) {
        String prefix = EventIdGenerator.deliveryPrefix(newEvent.event().eventId());
        List<FannedOut> planned = new ArrayList<>(fanOut.deliveries().size());
        for (FannedOut last : fanOut.deliveries()) {
            String deliveryId = prefix + (EventStore.FIRST_DELIVERY + planned.size());
            boolean mayReserve = newEvent.claim() != null
                    && !last.subscriber().paused()
                    && last.subscriber().rateLimit() == null
                    && !full.contains(last.endpointId());
            planned.add(of(last, deliveryId, mayReserve));
        }
        return planned;
    }

    private static FannedOut of(FannedOut delivery, String deliveryId, boolean reserved) {
        return new FannedOut(deliveryId, delivery.endpointId(), delivery.audience(), delivery.subscriber(), reserved);
    }

    private static JdbcClient.StatementSpec withDeliveries(
            JdbcClient.StatementSpec statement, List<FannedOut> planned) {
        if (planned.size() == 1) {
            FannedOut delivery = planned.get(0);
            return statement
                    .param("deliveryId", delivery.deliveryId())
                    .param("endpointId", delivery.endpointId())
                    .param("endpointAudience", delivery.audience(), Types.VARCHAR)
                    .param("reserved", delivery.reserved());
        }
        return statement
                .param("deliveryIds", PostgresArray.of("text", planned, FannedOut::deliveryId))
                .param("endpointIds", PostgresArray.of("text", planned, FannedOut::endpointId))
                .param("audiences", PostgresArray.of("text", planned, FannedOut::audience))
                .param("reserved", PostgresArray.of("bool", planned, FannedOut::reserved));
    }
}
