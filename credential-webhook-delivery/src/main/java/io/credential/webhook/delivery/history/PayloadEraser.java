package io.credential.webhook.delivery.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.audit.AuditTrail;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRules;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.ErasureResult;
import io.credential.webhook.delivery.outbox.EventIdGenerator;
import io.credential.webhook.delivery.queue.DeadDelivery;
import io.credential.webhook.delivery.queue.DeathReporter;
import io.credential.webhook.delivery.queue.DispatcherContext;
import io.credential.webhook.delivery.queue.DispatcherTables;

/**
 * Erases the payloads of events, with everything that was sent and received in attempts. It walks along the primary key in
 * batches, each in its own transaction unless the caller has one. The deliveries of an event are marked first, so that
 * nothing sends them again; its payload goes with or after the last of them. After a crash in between, the next walk
 * continues. Nothing waits for rows that others have locked. Thread-safe.
 */
final class PayloadEraser {

    /** How many events one call examines. */
    static final int EXAMINED = 5000;

    /** How many events, and how many deliveries, one transaction changes at most. */
    static final int BATCH = 500;

    /** An event is stored when its transaction commits, with an id that is as old as its dispatch. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofDays(1);

    private static final String VISIT = """
            SELECT max(event_id), count(*)
            FROM (
                SELECT event_id FROM {events}
                WHERE event_id > :after AND event_id < :past
                ORDER BY event_id
                LIMIT :limit) visited""";

    private static final String FIND_EVENTS = """
            SELECT e.event_id, e.event_type FROM {events} e
            WHERE e.event_id > :after AND e.event_id <= :last AND e.payload IS NOT NULL AND {matching}
            ORDER BY e.event_id
            LIMIT :limit""";

    /** The range of ids is that of the deliveries of these events, or what is left of it. */
    private static final String IS_OF_EVENTS =
            "d.delivery_id > :afterDelivery AND d.delivery_id < :past AND d.event_id IN (:eventIds)";

    private static final String FIND_UNMARKED =
            "SELECT DISTINCT d.event_id FROM {deliveries} d WHERE " + IS_OF_EVENTS + " AND d.erased_at IS NULL";

    private static final String FIND_OPEN = "SELECT DISTINCT d.event_id FROM {deliveries} d WHERE " + IS_OF_EVENTS
            + " AND d.delivered_at IS NULL AND d.dead_at IS NULL";

    private static final String FIND_IN_FLIGHT = FIND_OPEN + " AND d.status = 'in-flight'";

    private static final String LOCK_UNMARKED =
            "SELECT d.delivery_id, d.event_id, d.endpoint_id, d.status, d.attempts FROM {deliveries} d WHERE "
                    + IS_OF_EVENTS + " AND d.erased_at IS NULL ORDER BY d.delivery_id LIMIT :limit";

    private static final String MARK =
            "UPDATE {deliveries} SET erased_at = :now WHERE delivery_id IN (:deliveryIds) AND erased_at IS NULL";

    private static final String END_PENDING = """
            UPDATE {deliveries}
            SET status = 'dead', dead_at = :now, last_error = 'payload erased', last_reason = NULL
            WHERE delivery_id IN (:deliveryIds) AND status = 'pending'""";

    private static final String EMPTY_ATTEMPTS = """
            UPDATE {attempts}
            SET request_headers = NULL, location = NULL, response_headers = NULL, response_body = NULL
            WHERE delivery_id IN (:deliveryIds)""";

    private static final String ERASE = """
            UPDATE {events} SET payload = NULL
            WHERE event_id IN (:eventIds) AND event_id {is_one_of_selected}""";

    private static final String SELECT_UNERASED =
            "SELECT e.event_id FROM {events} e WHERE e.event_id IN (:eventIds) AND e.payload IS NOT NULL";

    private static final String COUNT_UNERASED =
            "SELECT count(*) FROM {events} WHERE event_id IN (:eventIds) AND payload IS NOT NULL";

    private final CredentialDatabase database;
    private final JdbcClient jdbc;
    private final AuditTrail audit;
    private final DeathReporter deaths;
    private final InstantSource clock;
    private final int examined;
    private final int batchSize;
    private final DispatcherTables tables;
    private final String erase;

    // Not private, so that a test can run EXPLAIN.
    final String visit;
    final String findUnmarked;
    final String findOpen;
    final String findInFlight;
    final String lockUnmarked;

    /** The event up to which {@link #eraseBefore} has nothing left to erase; null if none is known. */
    private volatile @Nullable String erasedUpTo;

    PayloadEraser(DispatcherContext context, AuditTrail audit, DeathReporter deaths, int examined, int batchSize) {
        this.database = context.database();
        this.jdbc = database.jdbc();
        this.tables = context.tables();
        this.clock = context.clock();
        this.audit = audit;
        this.deaths = deaths;
        this.examined = examined;
        this.batchSize = batchSize;
        this.visit = tables.in(VISIT);
        this.findUnmarked = tables.in(FIND_UNMARKED);
        this.findOpen = tables.in(FIND_OPEN);
        this.findInFlight = tables.in(FIND_IN_FLIGHT);
        this.lockUnmarked = tables.in(LOCK_UNMARKED) + database.dialect().skipLocked();
        this.erase = tables.in(
                ERASE.replace("{is_one_of_selected}", database.dialect().isOneUnlockedOf(SELECT_UNERASED)));
    }

    /** Erases the matching payloads of the next events. */
    ErasureResult erase(ErasureQuery query) {
        DispatcherRules.require("query", query);
        return reported(query, tally -> eraseNext(query, tally));
    }

    /**
     * Erases the payloads of all events that were dispatched before this time, unless a delivery is open. Begins
     * after the oldest events, if earlier calls have erased them.
     *
     * @param stopping asked before each stretch of events; if it returns true, the rest is left to the next call
     */
    void eraseBefore(Instant before, BooleanSupplier stopping) {
        ErasureQuery all = ErasureQuery.ofCreatedBefore(before);
        String settled = DeliverySearch.firstIdAt(before.minus(LONGEST_TRANSACTION));
        var unused = reported(all, tally -> {
            String from = erasedUpTo;
            ErasureQuery query = from == null ? all : all.after(from);
            while (query != null && !stopping.getAsBoolean()) {
                String next = eraseNext(query, tally);
                if (next != null && tally.skipped == 0 && next.compareTo(settled) < 0) {
                    database.afterCommit(() -> erasedUpTo = next);
                }
                query = next == null ? null : all.after(next);
            }
            return null;
        });
    }

    /** Reports the erased payloads even if the work fails later. */
    private ErasureResult reported(ErasureQuery query, Function<Tally, @Nullable String> work) {
        Tally tally = new Tally();
        try {
            String next = work.apply(tally);
            return new ErasureResult(tally.erased, tally.skipped, next);
        } finally {
            if (tally.erased > 0 || tally.ended > 0) {
                database.afterCommit(
                        audit.successReport("webhook.payload.erase", query.eventId(), facts(query, tally)));
            }
        }
    }

    private static Map<String, Object> facts(ErasureQuery query, Tally tally) {
        Map<String, Object> facts = new HashMap<>();
        BulkRetryAudit.put(facts, "audience", query.audience());
        BulkRetryAudit.put(facts, "createdBefore", query.createdBefore());
        facts.put("erased", tally.erased);
        facts.put("skipped", tally.skipped);
        facts.put("deadDeliveries", tally.ended);
        return facts;
    }

    /** Returns where the next call continues; null if all events have been examined. */
    private @Nullable String eraseNext(ErasureQuery query, Tally tally) {
        if (query.eventId() != null) {
            erase(query, "", query.eventId(), tally);
            return null;
        }
        String after = query.cursor() == null ? "" : query.cursor();
        Stretch stretch = jdbc.sql(visit)
                .param("after", after)
                .param("past", past(query))
                .param("limit", examined)
                .query((row, index) -> new Stretch(row.getString(1), row.getInt(2)))
                .single();
        if (stretch.last() == null) {
            return null;
        }
        erase(query, after, stretch.last(), tally);
        return stretch.size() < examined ? null : stretch.last();
    }

    private static String past(ErasureQuery query) {
        Instant before = query.createdBefore();
        return before == null ? DeliveryReader.PAST_HEX : DeliverySearch.firstIdAt(before);
    }

    private void erase(ErasureQuery query, String after, String last, Tally tally) {
        List<Candidate> batch = find(query, after, last);
        while (!batch.isEmpty()) {
            erase(batch, query.includesPending(), tally);
            batch = find(query, batch.get(batch.size() - 1).eventId(), last);
        }
    }

    private List<Candidate> find(ErasureQuery query, String after, String last) {
        SearchConditions matching = new SearchConditions();
        if (query.eventId() != null) {
            matching.add("e.event_id = :eventId", "eventId", query.eventId());
            matching.add("e.event_id < :past", "past", past(query));
        }
        matching.add("e.audience = :audience", "audience", query.audience());
        return jdbc.sql(tables.in(FIND_EVENTS).replace("{matching}", matching.sql()))
                .params(matching.parameters())
                .param("after", after)
                .param("last", last)
                .param("limit", batchSize)
                .query((row, index) -> new Candidate(row.getString(1), row.getString(2)))
                .list();
    }

    /** Leaves an event as it is if a delivery still needs the payload. */
    private void erase(List<Candidate> batch, boolean includesPending, Tally tally) {
        Batch all = new Batch(batch);
        Batch idle = all.without(find(includesPending ? findInFlight : findOpen, all));
        int erased = 0;
        String position = idle.isEmpty() ? null : idle.beforeDeliveries();
        while (position != null) {
            String after = position;
            Step step = database.inTransaction(() -> step(idle, after, includesPending));
            erased += step.erased();
            tally.ended += step.ended();
            position = step.next();
        }
        tally.erased += erased;
        if (erased < batch.size()) {
            tally.skipped += jdbc.sql(tables.in(COUNT_UNERASED))
                    .param("eventIds", all.eventIds())
                    .query(Integer.class)
                    .single();
        }
    }

    /** Marks the next deliveries; if no others are left, erases the payloads of the events that have only marked ones. */
    private Step step(Batch batch, String after, boolean includesPending) {
        List<Locked> locked = lockUnmarked(batch, after);
        List<Locked> pending = locked.stream()
                .filter(delivery -> includesPending && delivery.status().equals(DeliveryStatus.PENDING.text()))
                .toList();
        List<Locked> erasable = new ArrayList<>(pending);
        locked.stream().filter(Locked::isFinal).forEach(erasable::add);
        end(pending, batch);
        mark(erasable);
        return locked.size() == batchSize
                ? new Step(locked.get(batchSize - 1).deliveryId(), pending.size(), 0)
                : new Step(null, pending.size(), erase(batch.without(find(findUnmarked, batch))));
    }

    private List<Locked> lockUnmarked(Batch batch, String after) {
        return batch.bind(jdbc.sql(lockUnmarked), after)
                .param("limit", batchSize)
                .query((row, index) -> new Locked(
                        row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getInt(5)))
                .list();
    }

    private void end(List<Locked> pending, Batch batch) {
        if (pending.isEmpty()) {
            return;
        }
        long now = clock.millis();
        requireAll(pending, changing(END_PENDING, pending).param("now", now));
        deaths.died(pending.stream()
                .map(delivery -> new DeadDelivery(
                        delivery.deliveryId(),
                        delivery.eventId(),
                        batch.eventType(delivery.eventId()),
                        delivery.endpointId(),
                        delivery.attempts(),
                        DeadReason.PAYLOAD_ERASED,
                        now))
                .toList());
    }

    private void mark(List<Locked> deliveries) {
        if (!deliveries.isEmpty()) {
            requireAll(deliveries, changing(MARK, deliveries).param("now", clock.millis()));
            changing(EMPTY_ATTEMPTS, deliveries).update();
        }
    }

    private JdbcClient.StatementSpec changing(String sql, List<Locked> deliveries) {
        return jdbc.sql(tables.in(sql))
                .param(
                        "deliveryIds",
                        deliveries.stream().map(Locked::deliveryId).toList());
    }

    private static void requireAll(List<Locked> deliveries, JdbcClient.StatementSpec statement) {
        int changed = statement.update();
        if (changed != deliveries.size()) {
            throw new IllegalStateException("Of " + deliveries.size() + " locked deliveries, for example "
                    + deliveries.get(0).deliveryId() + ", only " + changed + " could be changed");
        }
    }

    private int erase(Batch batch) {
        return batch.isEmpty()
                ? 0
                : jdbc.sql(erase).param("eventIds", batch.eventIds()).update();
    }

    /** Returns which of these events have a delivery that a statement finds. */
    private Set<String> find(String sql, Batch batch) {
        return batch.bind(jdbc.sql(sql), batch.beforeDeliveries())
                .query((row, index) -> row.getString(1))
                .set();
    }

    private static final class Tally {

        private int erased;
        private int skipped;

        /** How many pending deliveries became dead. */
        private int ended;
    }

    /** @param last the id of the last event; null if there is none */
    private record Stretch(@Nullable String last, int size) {}

    private record Candidate(String eventId, String eventType) {}

    /** @param next the delivery after which there may be more to mark; null if there are none */
    private record Step(@Nullable String next, int ended, int erased) {}

    private record Locked(String deliveryId, String eventId, String endpointId, String status, int attempts) {

        boolean isFinal() {
            return status.equals(DeliveryStatus.DELIVERED.text()) || status.equals(DeliveryStatus.DEAD.text());
        }
    }

    /** Events in the order of their ids. */
    private record Batch(List<Candidate> events) {

        boolean isEmpty() {
            return events.isEmpty();
        }

        Batch without(Set<String> eventIds) {
            return new Batch(events.stream()
                    .filter(event -> !eventIds.contains(event.eventId()))
                    .toList());
        }

        List<String> eventIds() {
            return events.stream().map(Candidate::eventId).toList();
        }

        String eventType(String eventId) {
            return events.stream()
                    .filter(event -> event.eventId().equals(eventId))
                    .findFirst()
                    .orElseThrow()
                    .eventType();
        }

        /** The prefix of the ids of deliveries sorts before them. */
        String beforeDeliveries() {
            return EventIdGenerator.deliveryPrefix(events.get(0).eventId());
        }

        JdbcClient.StatementSpec bind(JdbcClient.StatementSpec statement, String afterDelivery) {
            return statement
                    .param("afterDelivery", afterDelivery)
                    .param(
                            "past",
                            EventIdGenerator.deliveryPrefix(
                                            events.get(events.size() - 1).eventId())
                                    + DeliveryReader.PAST_HEX)
                    .param("eventIds", eventIds());
        }
    }
}
