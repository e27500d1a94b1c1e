package io.credential.webhook.delivery.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.internal.concurrent.DaemonThreads;
import io.credential.seal.ResealResult;
import io.credential.seal.internal.Keyring;
import io.credential.storage.SchemaException;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.webhook.delivery.AudienceWebhooks;
import io.credential.webhook.delivery.DeadLetters;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatistics;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.SecretRotation;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.event.WebhookEventException;

/**
 * The dispatcher over a database. Nothing runs in the background before {@link #start()}; {@link #processRetries()}
 * works without it. {@link #close()} lets running attempts finish and releases what is claimed; dispatching and
 * processing retries then throw {@link IllegalStateException}. Thread-safe.
 */
public final class JdbcWebhookDispatcher implements WebhookDispatcher, AutoCloseable {

    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

    private static final Duration CLOSE_FAILURES = Duration.ofSeconds(5);

    private final JdbcWebhookDispatcherParts parts;
    private final WebhookEventCatalog eventCatalog;
    private volatile boolean closed;

    JdbcWebhookDispatcher(JdbcWebhookDispatcherBuilder builder) {
        this.parts = new JdbcWebhookDispatcherParts(builder);
        this.eventCatalog = builder.eventCatalog;
    }

    /**
     * Returns a builder.
     *
     * @param database contains the tables of {@link SchemaScripts#CORE}; {@link #declareSchema()} creates the dispatcher's own
     * @param keyring seals the secrets of endpoints
     */
    public static JdbcWebhookDispatcherBuilder builder(CredentialDatabase database, Keyring keyring) {
        return new JdbcWebhookDispatcherBuilder(database, keyring);
    }

    @Override
    public void declareSchema() {
        new SchemaMigrator(parts.context.database(), SchemaScripts.CORE).run(SchemaMode.MIGRATE);
        schema(SchemaMode.MIGRATE);
    }

    /**
     * Migrates the dispatcher's own tables to the current version, or verifies that they are current.
     *
     * @throws SchemaException if they are not current, and were not migrated
     */
    public void schema(SchemaMode mode) {
        CredentialDatabase database = parts.context.database();
        new SchemaMigrator(database, parts.context.tables().scripts(database.dialect()))
                .run(DispatcherRules.require("mode", mode));
    }

    @Override
    public Endpoint registerEndpoint(EndpointRegistration registration) {
        parts.callerTransaction.requireWritable();
        return parts.endpoints.registry.register(registration);
    }

    @Override
    public Endpoint rotateSecret(String endpointId, SecretRotation rotation) {
        parts.callerTransaction.requireWritable();
        return parts.endpoints.rotator.rotate(endpointId, rotation);
    }

    @Override
    public boolean pauseEndpoint(String endpointId) {
        parts.callerTransaction.requireWritable();
        return parts.endpoints.pauses.pause(endpointId);
    }

    @Override
    public boolean resumeEndpoint(String endpointId) {
        parts.callerTransaction.requireWritable();
        return parts.endpoints.pauses.resume(endpointId);
    }

    /**
     * Stores operational events for the endpoints that subscribe to them. Of events with the same occasion, one is stored, as
     * long as it is kept. Does nothing unless they are {@linkplain JdbcWebhookDispatcherBuilder#operationalEvents enabled}.
     * Joins a transaction of the caller.
     */
    public void raise(List<OperationalEvent> events) {
        DispatcherRules.require("events", events);
        requireOpen();
        parts.operationalEvents.raise(events);
    }

    @Override
    public Delivery sendTestEvent(String endpointId) {
        DispatcherRules.require("endpointId", endpointId);
        requireOpen();
        return parts.dispatcher.sendTest(endpointId, parts.context.longestAttempt());
    }

    @Override
    public Delivery sendTestEvent(String endpointId, String eventType, Object payload) {
        DispatcherRules.require("endpointId", endpointId);
        requireOpen();
        return parts.dispatcher.sendTest(endpointId, eventType, payload, parts.context.longestAttempt());
    }

    @Override
    public boolean removeEndpoint(String endpointId) {
        parts.callerTransaction.requireWritable();
        return parts.endpoints.remover.remove(endpointId);
    }

    @Override
    public List<Endpoint> listEndpoints() {
        return parts.endpoints.reader.list();
    }

    @Override
    public List<Endpoint> listEndpoints(@Nullable String afterEndpointId, int limit) {
        return parts.endpoints.reader.list(afterEndpointId, limit);
    }

    /** Returns what pages for operators read. */
    public JdbcWebhookDispatcherViews operatorViews() {
        return new JdbcWebhookDispatcherViews(parts);
    }

    @Override
    public Optional<Endpoint> getEndpoint(String endpointId) {
        return parts.endpoints.reader.find(endpointId);
    }

    @Override
    public DispatchResult dispatch(String eventType, Object payload, DispatchOptions options) {
        requireOpen();
        return parts.dispatcher.dispatch(eventType, payload, options);
    }

    @Override
    public DispatchResult enqueue(String eventType, Object payload, DispatchOptions options) {
        requireOpen();
        return parts.dispatcher.enqueue(eventType, payload, options);
    }

    @Override
    public DispatchResult dispatch(Record event, DispatchOptions options) {
        return typed(() -> dispatch(eventCatalog.typeOf(event).name(), eventCatalog.write(event), options));
    }

    @Override
    public DispatchResult enqueue(Record event, DispatchOptions options) {
        return typed(() -> enqueue(eventCatalog.typeOf(event).name(), eventCatalog.write(event), options));
    }

    private static DispatchResult typed(Supplier<DispatchResult> dispatch) {
        try {
            return dispatch.get();
        } catch (WebhookEventException e) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS, "The event cannot be dispatched: " + e.getMessage(), e);
        }
    }

    @Override
    public RetryResult processRetries() {
        requireOpen();
        parts.callerTransaction.requireNone();
        return parts.engine.processRetries();
    }

    @Override
    public ResealResult resealSecrets() {
        parts.callerTransaction.requireWritable();
        ResealResult result = parts.endpoints.resealer.resealAll();
        Map<String, Object> counts = Map.of("examined", result.examined(), "resealed", result.resealed());
        parts.context
                .database()
                .afterCommit(parts.endpoints.audit.successReport("webhook.endpoint.reseal", null, counts));
        return result;
    }

    @Override
    public AudienceWebhooks forAudience(String audience) {
        return new JdbcWebhookDispatcherAudience(audience, this, parts);
    }

    @Override
    public Deliveries deliveries() {
        return parts.history.deliveries();
    }

    @Override
    public DeadLetters dlq() {
        return parts.history.deadLetters();
    }

    @Override
    public DeliveryStatistics statistics() {
        return parts.endpoints.statistics;
    }

    /**
     * Starts the background work, which attempts deliveries as soon as this node knows that they are due, and continues
     * {@linkplain Deliveries#retryAll bulk retries}. Does nothing if it is running; starts it again after {@link #stop}.
     *
     * <p>Call {@link #poll()} about every second, {@link #flushStatistics()} about every five seconds, {@link
     * #continueJobs()} about every ten seconds, and {@link #removeExpired()} about every hour; the Spring Boot starter does
     * all four. Without polls, the background work scans
     * for deliveries of other nodes only every 15 seconds.
     */
    public void start() {
        requireOpen();
        parts.engine.start();
        parts.history.start();
    }

    /**
     * Makes the background work look for due deliveries, including those that other nodes stored. Returns immediately.
     * After a scan that found open deliveries, the next one waits fifty times as long as the scan took, at most 15
     * seconds. Does nothing before {@link #start()}, or after {@link #stop} or {@link #close()}.
     */
    public void poll() {
        parts.engine.poll();
    }

    /** Returns whether the background work is running. */
    public boolean isStarted() {
        return parts.engine.isStarted();
    }

    /**
     * Reads how many deliveries are not delivered, on all nodes together. The cost grows with the backlog, up to {@link
     * DispatcherBacklog#MOST}: call it every 15 seconds rather than for each request.
     */
    public DispatcherBacklog backlog() {
        return parts.engine.backlog();
    }

    /** Returns what the dispatcher does on this node. Reads nothing from the database. */
    public DispatcherActivity activity() {
        return parts.engine.activity();
    }

    /** Returns how many audit events of the background wait for the audit sink. */
    public int waitingAuditEvents() {
        return parts.auditThread.waiting();
    }

    /** Returns how many audit events of the background were lost because too many waited for the audit sink. */
    public long rejectedAuditEvents() {
        return parts.auditThread.rejected();
    }

    /**
     * Removes deliveries that were delivered, and bulk retries that finished, longer ago than the retention, with all that
     * belongs to them, and statistics of more than 24 hours ago. Erases old secrets whose overlap has ended, and the payloads
     * of events that were dispatched longer ago than the payload retention, as {@link Deliveries#erasePayloads} does; events
     * with pending deliveries are skipped. Ends early if the dispatcher is stopped or the thread is interrupted. Call it
     * regularly; nothing else does this.
     *
     * @return how many deliveries were removed
     */
    public int removeExpired() {
        parts.endpoints.rotator.eraseExpired();
        parts.endpoints.signers.forgetAll();
        DispatcherOptions options = parts.context.options();
        Instant now = parts.context.clock().instant();
        int removed = parts.history.removeBefore(now.minus(options.retention()).toEpochMilli());
        parts.endpoints.statistics.removeExpired(parts.history::isStopping);
        if (!options.payloadRetention().isZero()) {
            parts.history.erasePayloadsBefore(now.minus(options.payloadRetention()));
        }
        return removed;
    }

    /**
     * Writes what this node has counted for the {@link #statistics()}. If the database does not answer, that is logged once,
     * and the counts are kept for the next call. {@link #stop} and {@link #close(Duration)} do this too.
     */
    public void flushStatistics() {
        parts.endpoints.statistics.flush();
    }

    /**
     * Continues {@linkplain Deliveries#retryAll bulk retries} that no node is working on, such as those of a node that
     * crashed. While the background work runs, this only wakes it up. Before {@link #start()}, this takes up to 100 steps:
     * each selects from 5000 deliveries, or retries 500. After {@link #stop}, this does nothing. Jobs that fail are logged and
     * do not keep others from being continued. Call it regularly.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/foreign-transaction} inside a transaction on the
     *     dispatcher's DataSource, unless the background work runs
     */
    public void continueJobs() {
        requireOpen();
        parts.history.continueJobs();
    }

    /**
     * Stops the background work. Waits up to the grace period for running attempts and the current step of a bulk retry, then
     * cancels those that remain. Deliveries whose attempt has not finished are released, and attempted by another node or
     * after the next {@link #start}. Events that are dispatched meanwhile are only stored, and {@link #processRetries()} does
     * nothing.
     *
     * @param grace how long to wait for running attempts
     */
    public void stop(Duration grace) {
        DispatcherRules.require("grace", grace);
        long began = System.nanoTime();
        parts.history.stop();
        parts.engine.stop(grace);
        parts.history.awaitStopped(rest(grace, began));
        flushStatistics();
    }

    /** Calls {@link #close(Duration)} with ten seconds. */
    @Override
    public void close() {
        close(DEFAULT_GRACE);
    }

    /**
     * Stops permanently; nothing can be dispatched afterwards.
     *
     * @param grace how long to wait for running attempts; ignored after {@link #stop}, which has already waited
     */
    public void close(Duration grace) {
        DispatcherRules.require("grace", grace);
        if (closed) {
            return;
        }
        closed = true;
        long began = System.nanoTime();
        parts.history.stop();
        parts.engine.close(grace);
        parts.history.awaitStopped(rest(grace, began));
        // Later attempts, on any node, make up for what is dropped.
        var unused = DaemonThreads.close(parts.endpoints.failures, CLOSE_FAILURES);
        flushStatistics();
        parts.auditThread.close();
        parts.endpoints.destinations.close();
    }

    private static Duration rest(Duration grace, long began) {
        Duration rest = grace.minusNanos(System.nanoTime() - began);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The webhook dispatcher is closed");
        }
    }
}
