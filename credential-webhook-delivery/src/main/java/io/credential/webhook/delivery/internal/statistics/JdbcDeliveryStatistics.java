package io.credential.webhook.delivery.internal.statistics;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.storage.internal.RepeatedWork;
import io.credential.webhook.delivery.DeliveryStatistics;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.EndpointStatistics;
import io.credential.webhook.delivery.EndpointSummary;
import io.credential.webhook.delivery.EventTypeAttempts;
import io.credential.webhook.delivery.HourlyAttempts;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.statistics.StatisticsStore.HourRow;

/**
 * Counts outcomes in memory until {@link #flush()} writes the counts, each at most once: they stay until their statements have
 * succeeded, and are lost if the database then does not confirm the commit. Other packages use only this class of the
 * package. Thread-safe.
 */
public final class JdbcDeliveryStatistics implements DeliveryStatistics {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcDeliveryStatistics.class);

    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
    private static final int HOURS = 24;
    private static final int CAPACITY = 10_000;
    private static final int DELETED_AT_ONCE = 1000;

    /** Stopping waits for it. */
    private static final Duration FLUSH_LIMIT = Duration.ofSeconds(10);

    private final DispatcherContext context;
    private final StatisticsStore store;
    private final UnwrittenCounts unwritten;
    private final RepeatedWork flush = new RepeatedWork(
            "Could not write the statistics of webhook deliveries; they are kept for the next attempt", this::write);

    public JdbcDeliveryStatistics(DispatcherContext context) {
        this(context, CAPACITY);
    }

    JdbcDeliveryStatistics(DispatcherContext context, int capacity) {
        this.context = context;
        this.store = new StatisticsStore(context);
        this.unwritten = new UnwrittenCounts(capacity);
    }

    /** Counts an outcome that was stored, unless nothing was attempted and nothing died. Runs no statement. */
    public void count(Settlement outcome) {
        ClaimedDelivery delivery = outcome.claimed();
        AttemptLog attempt = outcome.log();
        boolean accepted = outcome.status() == DeliveryStatus.DELIVERED;
        boolean dead = outcome.status() == DeliveryStatus.DEAD;
        if (attempt == null && !dead) {
            return;
        }
        long at = attempt == null ? Objects.requireNonNull(outcome.settledAt()) : attempt.endedAt();
        unwritten.add(
                new CountKey(delivery.endpointId(), hour(at), delivery.eventType()),
                new AttemptCounts(accepted ? 1 : 0, attempt != null && !accepted ? 1 : 0, dead ? 1 : 0));
        if (attempt != null) {
            unwritten.add(delivery.endpointId(), accepted ? LastOutcomes.accepted(at) : LastOutcomes.failed(at));
        }
    }

    /** Writes what was counted, in one transaction. If that fails, it is logged once and counts wait for the next call. */
    public void flush() {
        flush.run();
    }

    private void write() {
        UnwrittenCounts.Taken taken = unwritten.take();
        if (taken.isEmpty()) {
            return;
        }
        long oldest = firstHour() - 1;
        taken.counts.keySet().removeIf(key -> key.hour() < oldest); // also bounds the totals if nothing can be written
        AtomicBoolean executed = new AtomicBoolean();
        boolean written = false;
        try {
            context.database().inTransaction(FLUSH_LIMIT, () -> {
                store.add(taken);
                executed.set(true);
                return true;
            });
            written = true;
        } finally {
            if (!written && executed.get()) {
                LOG.warn(
                        "The database did not confirm the statistics of webhook deliveries of the last seconds; they may be"
                                + " missing, because counting them again could count them twice");
            } else if (!written) {
                unwritten.putBack(taken);
            }
        }
    }

    /**
     * Removes what is older than the hours that are shown, and the last outcomes of endpoints that were removed.
     *
     * @param stopping asked before each batch; if it returns true, the rest is left to the next call
     */
    public void removeExpired(BooleanSupplier stopping) {
        long first = firstHour();
        repeat(() -> store.deleteBefore(first - 1, DELETED_AT_ONCE), stopping);
        repeat(() -> store.deleteOrphans(DELETED_AT_ONCE), stopping);
    }

    private static void repeat(IntSupplier batch, BooleanSupplier stopping) {
        int removed = 1;
        while (removed > 0 && !stopping.getAsBoolean()) {
            removed = batch.getAsInt();
        }
    }

    /** Removes what earlier endpoints left under the id of a new one, in the transaction that creates it. */
    public void created(String endpointId) {
        store.forget(endpointId);
    }

    @Override
    public List<HourlyAttempts> lastDay() {
        long first = firstHour();
        return hours(first, store.totals(first, lastHour(first)));
    }

    @Override
    public EndpointStatistics ofEndpoint(String endpointId) {
        DispatcherRules.require("endpointId", endpointId);
        long first = firstHour();
        boolean possible = DispatcherRules.isName(endpointId);
        List<HourRow> rows = possible ? store.ofEndpoint(endpointId, first, lastHour(first)) : List.of();
        LastOutcomes outcomes = possible ? store.outcomes(List.of(endpointId)).get(endpointId) : null;
        return new EndpointStatistics(
                lastSuccessAt(outcomes), failingSince(outcomes), hours(first, rows), eventTypes(rows));
    }

    @Override
    public Map<String, EndpointSummary> ofEndpoints(Collection<String> endpointIds) {
        DispatcherRules.require("endpointIds", endpointIds);
        endpointIds.forEach(id -> DispatcherRules.require("each of endpointIds", id));
        DispatcherRules.requireThat(
                endpointIds.size() <= MAX_ENDPOINTS,
                "endpointIds must be at most " + MAX_ENDPOINTS + " ids, not " + endpointIds.size());
        List<String> possible =
                endpointIds.stream().filter(DispatcherRules::isName).distinct().toList();
        long first = firstHour();
        Map<String, AttemptCounts> sums = possible.isEmpty() ? Map.of() : store.sums(possible, first, lastHour(first));
        Map<String, LastOutcomes> outcomes = possible.isEmpty() ? Map.of() : store.outcomes(possible);
        Map<String, EndpointSummary> summaries = new LinkedHashMap<>();
        endpointIds.forEach(id ->
                summaries.put(id, summary(outcomes.get(id), sums.getOrDefault(id, AttemptCounts.NONE))));
        return summaries;
    }

    private static EndpointSummary summary(@Nullable LastOutcomes outcomes, AttemptCounts counts) {
        return new EndpointSummary(
                lastSuccessAt(outcomes), failingSince(outcomes), counts.accepted(), counts.failed(), counts.dead());
    }

    private static @Nullable Instant lastSuccessAt(@Nullable LastOutcomes outcomes) {
        return outcomes == null || outcomes.lastSuccessAt() == LastOutcomes.NEVER
                ? null
                : Instant.ofEpochMilli(outcomes.lastSuccessAt());
    }

    private static @Nullable Instant failingSince(@Nullable LastOutcomes outcomes) {
        return outcomes == null || outcomes.failingSince() == LastOutcomes.NOT_FAILING
                ? null
                : Instant.ofEpochMilli(outcomes.failingSince());
    }

    private static List<HourlyAttempts> hours(long first, List<HourRow> rows) {
        Map<Long, AttemptCounts> byHour = new HashMap<>();
        rows.forEach(row -> byHour.merge(row.hour(), row.counts(), AttemptCounts::plus));
        return LongStream.rangeClosed(first, lastHour(first))
                .mapToObj(hour -> {
                    AttemptCounts counts = byHour.getOrDefault(hour, AttemptCounts.NONE);
                    return new HourlyAttempts(
                            Instant.ofEpochMilli(hour * HOUR_MILLIS),
                            counts.accepted(),
                            counts.failed(),
                            counts.dead());
                })
                .toList();
    }

    private static List<EventTypeAttempts> eventTypes(List<HourRow> rows) {
        Map<String, AttemptCounts> byType = new TreeMap<>();
        rows.forEach(row -> byType.merge(row.eventType(), row.counts(), AttemptCounts::plus));
        return byType.entrySet().stream()
                .map(type -> new EventTypeAttempts(
                        type.getKey(),
                        type.getValue().accepted(),
                        type.getValue().failed(),
                        type.getValue().dead()))
                .toList();
    }

    private long firstHour() {
        return hour(context.clock().millis()) - (HOURS - 1);
    }

    private static long lastHour(long first) {
        return first + (HOURS - 1);
    }

    private static long hour(long millis) {
        return Math.floorDiv(millis, HOUR_MILLIS);
    }
}
