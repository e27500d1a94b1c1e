package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.credential.audit.internal.AuditTrail;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.ErasureResult;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.history.EventEraser.Batch;
import io.credential.webhook.delivery.internal.history.EventEraser.Candidate;
import io.credential.webhook.delivery.internal.history.EventEraser.Step;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;

/**
 * Walks along the primary key of the events in batches and has their payloads erased, each batch in its own transactions
 * unless the caller has one. After a crash in between, the next walk continues. Thread-safe.
 */
final class PayloadEraser {

    /** How many events one call examines. */
    static final int EXAMINED = 5000;

    /** How many events, and how many deliveries, one transaction changes at most. */
    static final int BATCH = 500;

    /** An event is stored when its transaction commits, with an id that is as old as its dispatch. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofDays(1);

    static final String VISIT = """
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

    private static final String COUNT_UNERASED =
            "SELECT count(*) FROM {events} WHERE event_id IN (:eventIds) AND payload IS NOT NULL";

    private final DispatcherContext context;
    private final AuditTrail audit;
    private final int examined;
    private final int batchSize;

    private final EventEraser events;

    /** The event up to which {@link #eraseBefore} has nothing left to erase; null if none is known. */
    private volatile @Nullable String erasedUpTo;

    PayloadEraser(DispatcherContext context, AuditTrail audit, DeathReporter deaths, int examined, int batchSize) {
        this.context = context;
        this.audit = audit;
        this.events = new EventEraser(context, deaths, batchSize);
        this.examined = examined;
        this.batchSize = batchSize;
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
                    context.database().afterCommit(() -> erasedUpTo = next);
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
                context.database()
                        .afterCommit(
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
        Stretch stretch = context.sql(VISIT)
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
        return context.sql(FIND_EVENTS.replace("{matching}", matching.sql()))
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
        Batch idle = events.erasable(all, includesPending);
        int erased = 0;
        String position = idle.isEmpty() ? null : idle.beforeDeliveries();
        while (position != null) {
            String after = position;
            Step step = context.database().inTransaction(() -> events.step(idle, after, includesPending));
            erased += step.erased();
            tally.ended += step.ended();
            position = step.next();
        }
        tally.erased += erased;
        if (erased < batch.size()) {
            tally.skipped += context.sql(COUNT_UNERASED)
                    .param("eventIds", all.eventIds())
                    .query(Integer.class)
                    .single();
        }
    }

    private static final class Tally {

        private int erased;
        private int skipped;

        /** How many pending deliveries became dead. */
        private int ended;
    }

    /** @param last the id of the last event; null if there is none */
    private record Stretch(@Nullable String last, int size) {}
}
