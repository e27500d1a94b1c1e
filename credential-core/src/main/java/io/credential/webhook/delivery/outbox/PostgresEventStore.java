package io.credential.webhook.delivery.outbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.PostgresArray;
import io.credential.webhook.delivery.queue.Subscriber;

/** Stores any number of events by one statement, which also returns their deliveries. */
final class PostgresEventStore extends EventStore {

    /**
     * The id of a delivery is a prefix followed by a number of eight digits. An endpoint that subscribes both to the
     * event type and to {@code *} appears once. Subscriptions are found by their primary key, event by event.
     * Deliveries are stored as pending below a savepoint, because they may be rolled back although the transaction
     * commits, and in a transaction with a snapshot, which may show endpoints that were removed since. So are those of
     * endpoints with a rate limit: the older ones go first.
     *
     * <p>The limit removes no row. Without it, PostgreSQL expects ten rows of unknown arrays, finds a generic plan too
     * expensive, and plans the statement again each time, which takes longer than running it. With it, PostgreSQL
     * expects one row and would join a batch with itself row by row, so the statement avoids such joins.
     */
    private static final String STORE = """
            WITH given AS (
                SELECT * FROM unnest(:eventIds, :eventTypes, :audiences, :idempotencyKeys, :payloadDigests, :payloads,
                    :traceParents, :createdAts, :tokens, :owners, :claimedAts)
                AS g (event_id, event_type, audience, idempotency_key, payload_digest, payload, trace_parent, created_at,
                    token, owner, claimed_at)
                LIMIT :count
            ), stored AS (
                INSERT INTO {events} (event_id, event_type, audience, idempotency_key, payload_digest, payload, trace_parent,
                    created_at)
                SELECT event_id, event_type, audience, idempotency_key, payload_digest, payload, trace_parent, created_at
                FROM given
                ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
                RETURNING event_id,
                    xmin = CAST(pg_current_xact_id() AS xid)
                        AND current_setting('transaction_isolation') = 'read committed' AS is_final
            ), subscriber AS (
                SELECT g.event_id, g.created_at, g.token, g.owner, g.claimed_at, e.endpoint_id, e.audience, %2$s,
                    g.token IS NOT NULL AND (SELECT bool_and(is_final) FROM stored) AND e.endpoint_id <> ALL (:full)
                        AND e.paused_at IS NULL AND e.rate_limit IS NULL AS reserved,
                    substr(g.event_id, 1, %1$d) || CAST(10000000 + row_number() OVER (
                        PARTITION BY g.event_id ORDER BY e.endpoint_id) AS TEXT) AS delivery_id
                FROM given g
                CROSS JOIN LATERAL (
                    SELECT DISTINCT s.endpoint_id FROM {subscriptions} s WHERE s.event_type IN (g.event_type, '*')
                ) s
                JOIN {endpoints} e ON e.endpoint_id = s.endpoint_id
                WHERE g.event_id = ANY (ARRAY(SELECT event_id FROM stored))
                  AND (g.audience IS NULL OR e.audience = g.audience)
            ), fanned_out AS (
                INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, audience, status, attempts,
                    next_attempt_at, claimed_at, claim_token, claim_owner, created_at)
                SELECT delivery_id, event_id, endpoint_id, audience,
                    CASE WHEN reserved THEN 'in-flight' ELSE 'pending' END, 0, created_at,
                    CASE WHEN reserved THEN claimed_at END, CASE WHEN reserved THEN token END,
                    CASE WHEN reserved THEN owner END, created_at
                FROM subscriber
            )
            SELECT event_id, delivery_id, endpoint_id, audience, url, headers, payload_format, version, paused, failing,
                rate_limit, rate_window, scheme, secret, secret_number, previous_secret, previous_until, reserved
            FROM subscriber
            UNION ALL
            SELECT event_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                NULL, NULL
            FROM stored
            ORDER BY delivery_id""".formatted(EventIdGenerator.PREFIX_DIGITS, Subscriber.COLUMNS);

    private final String store;

    PostgresEventStore(CredentialDatabase database, DispatcherTables tables, Supplier<Set<String>> fullEndpoints) {
        super(database, tables, fullEndpoints);
        this.store = tables.in(STORE);
    }

    @Override
    boolean detectsSavepoints() {
        return true;
    }

    @Override
    List<StoredEvent> store(List<NewEvent> events) {
        JdbcClient.StatementSpec statement = database.jdbc()
                .sql(store)
                .param("count", events.size())
                .param("eventIds", array("text", events, Event::eventId))
                .param("eventTypes", array("text", events, Event::eventType))
                .param("audiences", array("text", events, Event::audience))
                .param("idempotencyKeys", array("text", events, Event::idempotencyKey))
                .param("payloadDigests", array("text", events, Event::payloadDigest))
                .param(
                        "payloads",
                        PostgresArray.ofBytes(
                                events, event -> event.event().payload().bytes()))
                .param("traceParents", array("text", events, Event::traceParent))
                .param("createdAts", array("int8", events, Event::createdAt))
                .param("tokens", ofClaims("int8", events, Claim::token))
                .param("owners", ofClaims("text", events, Claim::owner))
                .param("claimedAts", ofClaims("int8", events, Claim::claimedAt))
                .param("full", PostgresArray.of("text", List.copyOf(fullEndpoints.get()), endpointId -> endpointId));
        Map<String, List<FannedOut>> stored = new HashMap<>();
        statement.query(row -> {
            List<FannedOut> deliveries = stored.computeIfAbsent(row.getString("event_id"), id -> new ArrayList<>());
            if (row.getString("delivery_id") != null) {
                deliveries.add(fannedOut(row, row.getBoolean("reserved")));
            }
        });
        return events.stream()
                .map(event -> stored.get(event.event().eventId()))
                .map(deliveries -> deliveries == null ? StoredEvent.REPEATED : new StoredEvent(true, deliveries))
                .toList();
    }

    private static PostgresArray array(String type, List<NewEvent> events, Function<Event, @Nullable Object> value) {
        return PostgresArray.of(type, events, event -> value.apply(event.event()));
    }

    private static PostgresArray ofClaims(String type, List<NewEvent> events, Function<Claim, @Nullable Object> value) {
        return PostgresArray.of(type, events, event -> event.claim() == null ? null : value.apply(event.claim()));
    }
}
