package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.seal.internal.RowMac;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.history.DeliverySearch.FoundPage;
import io.credential.webhook.delivery.internal.outbox.CallerTransaction;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.SeenDelivery;

/**
 * Retries the deliveries that a query selects, as a job that any node continues. First, the selection is stored page by
 * page, each delivery with its status and how often it was sent again. They are then made due in batches, except those that
 * have changed. Each page and each batch is one transaction, which also stores the progress and keeps the job locked: one
 * node at a time works on it, and a crash loses and repeats nothing. No transaction waits for a delivery that others have
 * locked: the job returns to it later. Thread-safe.
 */
final class BulkRetries {

    private static final int ID_BYTES = 16;

    private static final String FIND_DELIVERIES =
            "SELECT delivery_id FROM {deliveries} WHERE delivery_id IN (:deliveryIds) ORDER BY delivery_id";

    private static final String MAKE_PENDING = """
            UPDATE {deliveries} AS d
            SET status = 'pending', attempts = 0, next_attempt_at = :now, delivered_at = NULL, dead_at = NULL,
                redeliveries = d.redeliveries + 1, takeovers = 0
            WHERE\s""" + SeenDelivery.IS_UNCHANGED;

    /** How many deliveries one transaction retries: other nodes skip them until it ends. */
    static final int BATCH = 500;

    /** How many jobs a list shows at most; jobs are few. */
    private static final int MAX_LISTED = 100;

    /** How many pages and batches one call of {@link #continueJobs()} takes at most. */
    private static final int STEPS = 100;

    private final CredentialDatabase database;
    private final CallerTransaction callerTransaction;
    private final BulkJobStore store;
    private final DeliverySearch search;
    private final String findDeliveries;
    private final String lockDeliveries;
    private final String makePending;
    private final Runnable onRetried;
    private final BulkRetryAudit audit;
    private final InstantSource clock;
    private final RandomHex ids;
    private final int pageSize;
    private final int batchSize;
    private final RequestedWork background = new RequestedWork("credential-webhook-jobs", this::continueInBackground);
    private final FailingJobs failing = new FailingJobs();
    private volatile boolean stopped;

    /**
     * @param onRetried called when deliveries became due
     * @param macs authenticate the rows of jobs
     * @param pageSize how many deliveries one transaction selects, at most {@link DeliveryQuery#MAX_LIMIT}
     */
    BulkRetries(
            DispatcherContext context,
            RowMac macs,
            Runnable onRetried,
            BulkRetryAudit audit,
            int pageSize,
            int batchSize) {
        DispatcherTables tables = context.tables();
        this.database = context.database();
        this.clock = context.clock();
        this.ids = new RandomHex(context.random());
        this.callerTransaction = new CallerTransaction(database);
        this.store = new BulkJobStore(database, tables, macs);
        this.search = new DeliverySearch(database, tables);
        this.findDeliveries = tables.in(FIND_DELIVERIES);
        this.lockDeliveries = findDeliveries + database.dialect().skipLocked();
        this.makePending = tables.in(MAKE_PENDING);
        this.onRetried = onRetried;
        this.audit = audit;
        this.pageSize = pageSize;
        this.batchSize = batchSize;
    }

    /**
     * Returns how many deliveries a job would select now.
     *
     * @throws CancellationException if the thread is interrupted
     */
    long count(DeliveryQuery query) {
        DeliveryQuery page = selection(query, clock.instant());
        long count = 0;
        String cursor;
        do {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("The count of deliveries was interrupted");
            }
            FoundPage found = search.find(page);
            count += retryable(found).size();
            cursor = found.nextCursor();
            page = cursor == null ? page : page.after(cursor);
        } while (cursor != null);
        return count;
    }

    /** Stores a job. It starts immediately, or after the commit of the caller's transaction. */
    BulkJob create(DeliveryQuery query) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        DeliveryQuery selection = selection(query, now);
        // Rejects a transaction in which the job cannot be stored.
        var unused = callerTransaction.isToBeJoined(false);
        StoredJob stored = new StoredJob(
                new BulkJob(ids.next(ID_BYTES), 0, 0, 0, BulkJobState.SELECTING, now, null),
                selection,
                null,
                audit.actorOrNull());
        store.add(stored);
        database.afterCommit(audit.started(stored));
        database.afterCommit(background::request);
        return stored.job();
    }

    Optional<BulkJob> find(String jobId) {
        DispatcherRules.require("jobId", jobId);
        return DispatcherRules.isId(jobId) ? store.find(jobId) : Optional.empty();
    }

    List<BulkJob> open() {
        return store.open(MAX_LISTED);
    }

    /** Cancels a job that has not finished; returns it as it is then, or empty if it does not exist. */
    Optional<BulkJob> cancel(String jobId) {
        DispatcherRules.require("jobId", jobId);
        if (!DispatcherRules.isId(jobId)) {
            return Optional.empty();
        }
        boolean joins = callerTransaction.isToBeJoined(false);
        Optional<StoredJob> cancelled;
        try {
            cancelled = database.inTransaction(() -> cancelOpen(jobId, joins));
        } catch (BulkJobStore.ForgedJobException e) {
            audit.forgedAtCancellation(jobId);
            throw e;
        }
        cancelled.map(StoredJob::id).ifPresent(store::removeSelection);
        return cancelled.map(StoredJob::job).or(() -> store.find(jobId));
    }

    private Optional<StoredJob> cancelOpen(String jobId, boolean joins) {
        if (!joins) {
            database.limitIdleTime();
        }
        Optional<StoredJob> cancelled =
                store.awaitOpen(jobId).map(open -> store.cancel(open, Instant.ofEpochMilli(clock.millis())));
        cancelled.ifPresent(job -> database.afterCommit(audit.cancelled(job)));
        return cancelled;
    }

    void removeFinishedBefore(long before) {
        store.removeFinishedBefore(before);
    }

    /** Continues jobs in the background: when one is created here, and when {@link #continueJobs()} is called. */
    void start() {
        stopped = false;
        background.start();
    }

    /** Prevents further steps, in the background or elsewhere. Returns immediately. */
    void stop() {
        stopped = true;
        background.stop();
    }

    /** After {@link #stop}, waits for the current page or batch in the background, which is interrupted after the limit. */
    void awaitStopped(Duration limit) {
        background.awaitStopped(limit);
    }

    /**
     * Continues jobs that no other node is working on: in the background if it is running, else here with a limited number of
     * steps. Does nothing after {@link #stop}.
     */
    void continueJobs() {
        if (background.isRunning()) {
            background.request();
        } else {
            callerTransaction.requireNone();
            continueJobs(STEPS);
        }
    }

    /** @param steps how many pages and batches to take at most */
    void continueJobs(int steps) {
        int left = steps;
        List<String> open = stopped ? List.of() : store.findOpen();
        failing.retain(open);
        for (String jobId : open) {
            while (left > 0 && !stopped && takeStep(jobId)) {
                left--;
            }
        }
    }

    /** After a failure, the next call continues, here or on another node. */
    private void continueInBackground() {
        try {
            continueJobs(Integer.MAX_VALUE);
            failing.works(FailingJobs.ALL);
        } catch (RuntimeException | Error e) {
            failing.fails(FailingJobs.ALL, e, stopped);
        }
    }

    /**
     * Selects one page or retries one batch. A job that fails does not keep others from being continued.
     *
     * @return whether the job can be continued at once
     */
    private boolean takeStep(String jobId) {
        try {
            Optional<Boolean> more =
                    database.inTransaction(() -> store.lockOpen(jobId).map(this::advance));
            more.ifPresent(taken -> failing.works(jobId));
            return more.orElse(false);
        } catch (BulkJobStore.ForgedJobException e) {
            if (failing.fails(jobId, e, false)) {
                audit.forged(jobId);
            }
            return false;
        } catch (RuntimeException e) {
            failing.fails(jobId, e, stopped);
            return false;
        }
    }

    private boolean advance(StoredJob stored) {
        if (stored.job().state() == BulkJobState.SELECTING) {
            select(stored);
            return true;
        }
        return retry(stored);
    }

    private void select(StoredJob stored) {
        FoundPage found = search.find(stored.nextPage(pageSize));
        store.select(stored, retryable(found), found.nextCursor());
    }

    /** Returns false if the job has finished, or others have locked all remaining deliveries. */
    private boolean retry(StoredJob stored) {
        List<SeenDelivery> batch = store.nextItems(stored, batchSize);
        List<SeenDelivery> available = lockAvailable(batch);
        int retried = makePending(available);
        boolean isLast = stored.isLast(available.size());
        StoredJob advanced = store.advance(
                stored,
                available,
                available.size() - retried,
                batch.isEmpty() ? null : batch.get(batch.size() - 1).deliveryId(),
                isLast ? clock.instant() : null);
        if (retried > 0) {
            database.afterCommit(onRetried);
        }
        if (isLast) {
            database.afterCommit(audit.finished(advanced));
        }
        return !isLast && !batch.isEmpty();
    }

    /** Locks deliveries in the order of their ids; returns all but those that others have locked. */
    private List<SeenDelivery> lockAvailable(List<SeenDelivery> batch) {
        if (batch.isEmpty()) {
            return batch;
        }
        List<String> ids = batch.stream().map(SeenDelivery::deliveryId).toList();
        Set<String> locked = find(lockDeliveries, ids);
        if (locked.size() == batch.size()) {
            return batch;
        }
        Set<String> existing = find(findDeliveries, ids);
        return batch.stream()
                .filter(seen -> locked.contains(seen.deliveryId()) || !existing.contains(seen.deliveryId()))
                .toList();
    }

    private Set<String> find(String sql, List<String> ids) {
        return database.jdbc()
                .sql(sql)
                .param("deliveryIds", ids)
                .query((row, index) -> row.getString(1))
                .set();
    }

    /** Makes deliveries due, with all attempts left, unless they have changed since they were seen; returns how many. */
    int makePending(List<SeenDelivery> deliveries) {
        if (deliveries.isEmpty()) {
            return 0;
        }
        long now = clock.millis();
        int[] changed = database.batchUpdate(
                makePending,
                deliveries.stream()
                        .<SqlParameterSource>map(seen -> new MapSqlParameterSource("deliveryId", seen.deliveryId())
                                .addValue("seenStatus", seen.status().text())
                                .addValue("seenRedeliveries", seen.redeliveries())
                                .addValue("now", now))
                        .toList());
        return Arrays.stream(changed).sum();
    }

    /** Deliveries in flight, or without their payload, cannot be retried. */
    private static List<SeenDelivery> retryable(FoundPage page) {
        return page.found().stream()
                .filter(found -> found.delivery().status() != DeliveryStatus.IN_FLIGHT
                        && found.delivery().payloadErasedAt() == null)
                .map(found -> new SeenDelivery(
                        found.delivery().deliveryId(), found.delivery().status(), found.redeliveries()))
                .toList();
    }

    /** Restricts the query to deliveries that were dispatched up to now, by the clocks of the nodes. */
    private static DeliveryQuery selection(DeliveryQuery query, Instant now) {
        DispatcherRules.require("query", query);
        DispatcherRules.requireThat(
                query.cursor() == null, "cursor must be omitted: the query selects the deliveries of all pages");
        DispatcherRules.requireThat(
                query.status() != DeliveryStatus.IN_FLIGHT,
                "status must not be in-flight: such deliveries are being attempted");
        DispatcherRules.requireThat(
                DeliverySearch.canMatch(query),
                "query matches no delivery: its endpointId, eventType, audience, eventId or idempotencyKey is malformed");
        Instant from = query.createdFrom();
        Instant before = query.createdBefore();
        long end = DeliverySearch.firstMillisAt(now) + 1;
        return query.withLimit(DeliveryQuery.MAX_LIMIT)
                .withCreatedFrom(from == null ? null : Instant.ofEpochMilli(DeliverySearch.firstMillisAt(from)))
                .withCreatedBefore(Instant.ofEpochMilli(
                        before == null ? end : Math.min(end, DeliverySearch.firstMillisAt(before))));
    }
}
