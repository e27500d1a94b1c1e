package io.credential.webhook.delivery.internal.outbox;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.PostgresArray;
import io.credential.webhook.delivery.internal.queue.Subscriber;

/** Stores one event, or any number of them, by one statement, which also returns the deliveries. */
final class PostgresEventStore extends EventStore {

    private static final String ENDPOINT_COLUMNS =
            "endpoint_id, audience, url, headers, payload_format, version, paused, failing, rate_limit, rate_window,"
                    + " scheme, signature_header, secret, secret_number, previous_secret, previous_until";

    private static final String SUBSCRIBER_COLUMNS = "delivery_id, " + ENDPOINT_COLUMNS + ", reserved";

    /** Deliveries to endpoints with a rate limit are not reserved, because older ones go first. */
    private static final String MAY_RESERVE =
            "e.endpoint_id <> ALL (:full) AND e.paused_at IS NULL AND e.rate_limit IS NULL";

    private static final String INSERT_DELIVERIES = """
            INSERT INTO {deliveries} (delivery_id, event_id, endpoint_id, audience, status, attempts, next_attempt_at,
                claimed_at, claim_token, claim_owner, created_at)
            SELECT delivery_id, %s, endpoint_id, audience,
                CASE WHEN reserved THEN 'in-flight' ELSE 'pending' END, 0, %s,
                CASE WHEN reserved THEN %s END, CASE WHEN reserved THEN %s END, CASE WHEN reserved THEN %s END, %2$s
            FROM subscriber""";

    /**
     * The id of a delivery is a prefix followed by a number of eight digits. An endpoint that subscribes to the
     * event type in several ways appears once. Deliveries are stored as pending below a savepoint, because they may be
     * rolled back although the transaction commits, and in a transaction with a snapshot, which may show endpoints that
     * were removed since. An event without subscribers returns one row without a delivery; one that was not stored
     * returns none: a repeated one, or one without an audience that would reach an endpoint with one.
     *
     * <p>Callers wait for this statement in their transactions, and preparing the steps of its plan takes longer than
     * running them. Therefore this is not the statement for many events, whose plan has twice as many steps.
     */
    private static final String STORE = """
            WITH reached AS (
                SELECT e.endpoint_id, e.audience, %s, %s AS may_reserve, %s AS fingerprint
                FROM {endpoints} e
                WHERE %s
            ), stored AS (
                INSERT INTO {events} (event_id, event_type, audience, idempotency_key, payload_digest, payload, trace_parent,
                    created_at)
                SELECT :eventId, :eventType, :audience, :idempotencyKey, :payloadDigest, :payload, :traceParent, :createdAt
                WHERE NOT :avoidsAudiences OR NOT EXISTS (SELECT 1 FROM reached WHERE audience IS NOT NULL)
                ON CONFLICT (idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
                RETURNING %s
            ), subscriber AS (
                SELECT :prefix || CAST(10000000 + row_number() OVER (ORDER BY endpoint_id) AS TEXT) AS delivery_id,
                    %s, :token IS NOT NULL AND is_final AND may_reserve AS reserved, fingerprint
                FROM stored CROSS JOIN reached
            ), fanned_out AS (
                %s
            )
            SELECT %s, fingerprint FROM stored LEFT JOIN subscriber ON TRUE""".formatted(
                    Subscriber.COLUMNS,
                    MAY_RESERVE,
                    PostgresFanOutMemory.FINGERPRINT,
                    PostgresFanOutMemory.IS_REACHED,
                    PostgresFanOutMemory.IS_FINAL,
                    ENDPOINT_COLUMNS,
                    INSERT_DELIVERIES.formatted(":eventId", ":createdAt", ":claimedAt", ":token", ":owner"),
                    SUBSCRIBER_COLUMNS);

    /**
     * The same for many events, none of which has an idempotency key, and outside a transaction of the caller.
     * Subscriptions are found by their primary key, event by event. An event that must not be stored returns refused
     * rows and does not keep the others from being stored.
     *
     * <p>The limit removes no row. Without it, PostgreSQL expects ten rows of unknown arrays, finds a generic plan too
     * expensive, and plans the statement again each time, which takes longer than running it. With it, PostgreSQL
     * expects one row and would join a batch with itself row by row, so the statement avoids such joins.
     */
    private static final String STORE_MANY = """
            WITH given AS (
                SELECT * FROM unnest(:eventIds, :eventTypes, :subscriptions, :audiences, :payloads, :traceParents, :createdAts, :tokens,
                    :owners, :claimedAts, :avoidAudiences)
                AS g (event_id, event_type, subscriptions, audience, payload, trace_parent, created_at, token, owner, claimed_at,
                    avoids_audiences)
                LIMIT :count
            ), subscriber AS (
                SELECT g.event_id, g.created_at, g.token, g.owner, g.claimed_at, e.endpoint_id, e.audience, %2$s,
                    g.token IS NOT NULL AND %3$s AS reserved,
                    g.avoids_audiences AND bool_or(e.audience IS NOT NULL) OVER (
                        PARTITION BY g.event_id) AS refused,
                    substr(g.event_id, 1, %1$d) || CAST(10000000 + row_number() OVER (
                        PARTITION BY g.event_id ORDER BY e.endpoint_id) AS TEXT) AS delivery_id
                FROM given g
                CROSS JOIN LATERAL (
                    SELECT DISTINCT s.endpoint_id FROM {subscriptions} s
                    WHERE s.event_type = ANY (string_to_array(g.subscriptions, ' '))
                ) s
                JOIN {endpoints} e ON e.endpoint_id = s.endpoint_id
                WHERE g.audience IS NULL OR e.audience = g.audience
            ), stored AS (
                INSERT INTO {events} (event_id, event_type, audience, payload, trace_parent, created_at)
                SELECT event_id, event_type, audience, payload, trace_parent, created_at FROM given
                WHERE event_id NOT IN (SELECT event_id FROM subscriber WHERE refused)
            ), fanned_out AS (
                %4$s
                WHERE NOT refused
            )
            SELECT event_id, refused, %5$s FROM subscriber""".formatted(
                    EventIdGenerator.PREFIX_DIGITS,
                    Subscriber.COLUMNS,
                    MAY_RESERVE,
                    INSERT_DELIVERIES.formatted("event_id", "created_at", "claimed_at", "token", "owner"),
                    SUBSCRIBER_COLUMNS);

    private static final Comparator<FannedOut> BY_ID = Comparator.comparing(FannedOut::deliveryId);

    private final String store;
    private final String storeMany;
    private final long seed;
    private final PostgresFanOutMemory memory;

    PostgresEventStore(
            CredentialDatabase database,
            DispatcherTables tables,
            Supplier<Set<String>> fullEndpoints,
            SecureRandom random) {
        super(database, tables, fullEndpoints);
        this.store = tables.in(STORE);
        this.storeMany = tables.in(STORE_MANY);
        byte[] bytes = new byte[Long.BYTES];
        random.nextBytes(bytes);
        this.seed = ByteBuffer.wrap(bytes).getLong();
        this.memory = new PostgresFanOutMemory(database, tables, seed);
    }

    @Override
    boolean detectsSavepoints() {
        return true;
    }

    @Override
    StoredEvent store(NewEvent newEvent) {
        return memory.store(newEvent, fullEndpoints.get()).orElseGet(() -> findAndStore(newEvent));
    }

    private StoredEvent findAndStore(NewEvent newEvent) {
        Event event = newEvent.event();
        List<FannedOut> deliveries = new ArrayList<>();
        AtomicBoolean isNew = new AtomicBoolean();
        AtomicLong fingerprint = new AtomicLong();
        withEvent(database.jdbc().sql(store), newEvent)
                .param("avoidsAudiences", event.avoidsAudiences())
                .param("idempotencyKey", event.idempotencyKey(), Types.VARCHAR)
                .param("payloadDigest", event.payloadDigest(), Types.VARCHAR)
                .param("prefix", EventIdGenerator.deliveryPrefix(event.eventId()))
                .param("full", fullEndpoints())
                .param("seed", seed)
                .query(row -> {
                    isNew.set(true);
                    if (row.getString("delivery_id") != null) {
                        deliveries.add(fannedOut(row, row.getBoolean("reserved")));
                        long part = row.getLong("fingerprint");
                        fingerprint.updateAndGet(parts -> parts ^ part);
                    }
                });
        deliveries.sort(BY_ID);
        memory.remember(event, deliveries, fingerprint.get());
        return isNew.get() ? new StoredEvent(true, deliveries) : StoredEvent.NOT_STORED;
    }

    /** Nulls have types: the driver prepares the statement again when the type of a parameter changes. */
    static JdbcClient.StatementSpec withEvent(JdbcClient.StatementSpec statement, NewEvent newEvent) {
        Event event = newEvent.event();
        Claim claim = newEvent.claim();
        return statement
                .param("eventId", event.eventId())
                .param("eventType", event.eventType())
                .param("subscriptions", PostgresArray.of("text", Subscriptions.to(event.eventType()), type -> type))
                .param("audience", event.audience(), Types.VARCHAR)
                .param("payload", event.payload().bytes())
                .param("traceParent", event.traceParent(), Types.VARCHAR)
                .param("createdAt", event.createdAt())
                .param("token", claim == null ? null : claim.token(), Types.BIGINT)
                .param("owner", claim == null ? null : claim.owner(), Types.VARCHAR)
                .param("claimedAt", claim == null ? null : claim.claimedAt(), Types.BIGINT);
    }

    @Override
    List<StoredEvent> storeAll(List<NewEvent> events) {
        if (events.size() == 1) {
            return List.of(store(events.get(0)));
        }
        Map<String, List<FannedOut>> deliveries = new HashMap<>();
        Set<String> refused = new HashSet<>();
        database.jdbc()
                .sql(storeMany)
                .param("count", events.size())
                .param("eventIds", array("text", events, Event::eventId))
                .param("eventTypes", array("text", events, Event::eventType))
                .param("subscriptions", array("text", events, PostgresEventStore::subscriptions))
                .param("audiences", array("text", events, Event::audience))
                .param("avoidAudiences", array("bool", events, Event::avoidsAudiences))
                .param("payloads", payloads(events))
                .param("traceParents", array("text", events, Event::traceParent))
                .param("createdAts", array("int8", events, Event::createdAt))
                .param("tokens", ofClaims("int8", events, Claim::token))
                .param("owners", ofClaims("text", events, Claim::owner))
                .param("claimedAts", ofClaims("int8", events, Claim::claimedAt))
                .param("full", fullEndpoints())
                .query(row -> {
                    String eventId = row.getString("event_id");
                    if (row.getBoolean("refused")) {
                        refused.add(eventId);
                    } else {
                        deliveries
                                .computeIfAbsent(eventId, id -> new ArrayList<>())
                                .add(fannedOut(row, row.getBoolean("reserved")));
                    }
                });
        deliveries.values().forEach(list -> list.sort(BY_ID));
        return events.stream()
                .map(event -> event.event().eventId())
                .map(eventId -> refused.contains(eventId)
                        ? StoredEvent.NOT_STORED
                        : new StoredEvent(true, deliveries.getOrDefault(eventId, List.of())))
                .toList();
    }

    /** Returns one text, because {@code unnest} flattens arrays of arrays. Event types contain no spaces. */
    private static String subscriptions(Event event) {
        return String.join(" ", Subscriptions.to(event.eventType()));
    }

    private static PostgresArray payloads(List<NewEvent> events) {
        return PostgresArray.ofBytes(events, event -> event.event().payload().bytes());
    }

    private PostgresArray fullEndpoints() {
        return PostgresArray.of("text", List.copyOf(fullEndpoints.get()), endpointId -> endpointId);
    }

    private static PostgresArray array(String type, List<NewEvent> events, Function<Event, @Nullable Object> value) {
        return PostgresArray.of(type, events, event -> value.apply(event.event()));
    }

    private static PostgresArray ofClaims(String type, List<NewEvent> events, Function<Claim, @Nullable Object> value) {
        return PostgresArray.of(type, events, event -> event.claim() == null ? null : value.apply(event.claim()));
    }
}
