package io.credential.webhook.delivery.internal.history;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.internal.AuditTrail;
import io.credential.seal.internal.RowMac;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.DeadLetterGroups;
import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.delivery.DeadLetters;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.internal.engine.DeliveryEngine;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;

/**
 * Lists deliveries, sends them again, erases their payloads and removes old ones. Other packages use only this class of
 * the package, and what it returns. Thread-safe.
 */
public final class DeliveryHistory {

    private final DeliveryReader reader;
    private final DeadLetterEditor editor;
    private final DeadLetterCounter counter;
    private final StoredDeliveries deliveries;
    private final BulkRetries bulkRetries;
    private final DeadLetters deadLetters = new StoredDeadLetters();
    private final ExpiredDeliveryRemover expired;
    private final PayloadEraser eraser;
    private final InstantSource clock;
    private volatile boolean stopped;

    /**
     * @param macs authenticate the rows of jobs
     * @param audits report what is done to a kind of resource
     * @param deaths reports deliveries that are dead because their payload is erased
     * @param actor names who is acting on the calling thread, or returns null
     */
    public DeliveryHistory(
            DispatcherContext context,
            RowMac macs,
            DeliveryEngine engine,
            Function<String, AuditTrail> audits,
            DeathReporter deaths,
            Supplier<@Nullable String> actor) {
        CredentialDatabase database = context.database();
        DispatcherTables tables = context.tables();
        AuditTrail audit = audits.apply("webhook-delivery");
        this.reader = new DeliveryReader(database, tables);
        this.editor = new DeadLetterEditor(database, tables, audit, engine::scanAgain);
        this.counter = new DeadLetterCounter(database, tables, DeadLetterCounter.EXAMINED);
        this.bulkRetries = new BulkRetries(
                context,
                macs,
                engine::scanAgain,
                new BulkRetryAudit(audits.apply("webhook-job"), actor),
                DeliveryQuery.MAX_LIMIT,
                BulkRetries.BATCH);
        this.eraser = new PayloadEraser(
                context, audits.apply("webhook-event"), deaths, PayloadEraser.EXAMINED, PayloadEraser.BATCH);
        this.deliveries = new StoredDeliveries(context, reader, bulkRetries, eraser, engine, audit);
        this.expired = new ExpiredDeliveryRemover(database, tables);
        this.clock = context.clock();
    }

    public Deliveries deliveries() {
        return deliveries;
    }

    /** Returns the deliveries of one audience. */
    public AudienceDeliveries of(String audience) {
        return new AudienceDeliveries(deliveries, audience);
    }

    public DeadLetters deadLetters() {
        return deadLetters;
    }

    /** Returns a delivery with up to {@code limit} attempts, the latest, in one statement. */
    public Optional<DeliveryWithAttempts> withAttempts(String deliveryId, int limit) {
        return reader.findWithAttempts(deliveryId, limit);
    }

    /** Returns the deliveries of an event in the order of their ids. */
    public List<Delivery> ofEvent(String eventId) {
        return reader.ofEvent(eventId);
    }

    /**
     * Removes deliveries that were delivered, and bulk retries that finished, before this time, in Unix milliseconds, with
     * all that belongs to them.
     *
     * @return how many deliveries were removed
     */
    public int removeBefore(long before) {
        int removed = expired.removeDeliveredBefore(before, this::isStopping);
        bulkRetries.removeFinishedBefore(before);
        return removed;
    }

    /** Erases the payloads of events that were dispatched before this time, unless a delivery is pending or in flight. */
    public void erasePayloadsBefore(Instant before) {
        eraser.eraseBefore(before, this::isStopping);
    }

    /** Returns whether work that can be continued later should end. */
    public boolean isStopping() {
        return stopped || Thread.currentThread().isInterrupted();
    }

    /** Continues bulk retries in the background until {@link #stop}. */
    public void start() {
        stopped = false;
        bulkRetries.start();
    }

    /** Prevents further steps of bulk retries, removals and erasures. Returns immediately. */
    public void stop() {
        stopped = true;
        bulkRetries.stop();
    }

    /** After {@link #stop}, waits for the current step in the background, which is interrupted after the limit. */
    public void awaitStopped(Duration limit) {
        bulkRetries.awaitStopped(limit);
    }

    /** Continues bulk retries that no node is working on: in the background if it is running, else here for a while. */
    public void continueJobs() {
        bulkRetries.continueJobs();
    }

    private final class StoredDeadLetters implements DeadLetters {

        @Override
        public List<Delivery> list(int limit) {
            return deliveries.list(
                    DeliveryQuery.all().withStatus(DeliveryStatus.DEAD).withLimit(limit));
        }

        @Override
        public DeadLetterGroups groups() {
            return counter.groups();
        }

        @Override
        public Delivery replay(String deliveryId) {
            return deliveries.replay(deliveryId);
        }

        @Override
        public int replayAll(DeadLetterQuery query) {
            return editor.replayAll(query, clock.millis());
        }

        @Override
        public int purge(DeadLetterQuery query) {
            return editor.purge(query);
        }
    }
}
