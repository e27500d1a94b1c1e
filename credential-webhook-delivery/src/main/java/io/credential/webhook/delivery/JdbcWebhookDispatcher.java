package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditThread;
import io.credential.audit.AuditTrail;
import io.credential.concurrent.DaemonThreads;
import io.credential.seal.Keyring;
import io.credential.seal.ResealResult;
import io.credential.seal.RowMac;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaException;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;
import io.credential.webhook.delivery.attempt.AttemptRunner;
import io.credential.webhook.delivery.attempt.EndpointRates;
import io.credential.webhook.delivery.endpoint.EndpointDirectory;
import io.credential.webhook.delivery.endpoint.EndpointFailureMonitor;
import io.credential.webhook.delivery.endpoint.EndpointPauses;
import io.credential.webhook.delivery.endpoint.EndpointRegistry;
import io.credential.webhook.delivery.endpoint.EndpointSecrets;
import io.credential.webhook.delivery.endpoint.EndpointSignerCache;
import io.credential.webhook.delivery.endpoint.SecretResealer;
import io.credential.webhook.delivery.endpoint.SecretRotator;
import io.credential.webhook.delivery.engine.DeliveryEngine;
import io.credential.webhook.delivery.history.DeliveryHistory;
import io.credential.webhook.delivery.outbox.CallerTransaction;
import io.credential.webhook.delivery.outbox.EventDispatcher;
import io.credential.webhook.delivery.outbox.EventIdGenerator;
import io.credential.webhook.delivery.outbox.EventStore;
import io.credential.webhook.delivery.outbox.OperationalEventStore;
import io.credential.webhook.delivery.queue.DeathReporter;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.OperationalEvents;
import io.credential.webhook.delivery.queue.PayloadReader;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.event.WebhookEventException;
import io.credential.webhook.http.DestinationVetter;

/**
 * The dispatcher over a database. Nothing runs in the background before {@link #start()}; {@link #processRetries()}
 * works without it. {@link #close()} lets running attempts finish and releases what is claimed; dispatching and
 * processing retries then throw {@link IllegalStateException}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class JdbcWebhookDispatcher implements WebhookDispatcher, AutoCloseable {

    /** Lets an outcome at the very end of the request timeout be stored while its caller waits. */
    private static final Duration OUTCOME_MARGIN = Duration.ofMillis(500);

    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

    private static final int MAX_WAITING_FAILURES = 10_000;
    private static final Duration CLOSE_FAILURES = Duration.ofSeconds(5);

    private final CredentialDatabase database;
    private final DispatcherTables tables;
    private final Duration retention;
    private final Duration payloadRetention;
    private final InstantSource clock;
    private final WebhookEventCatalog eventCatalog;
    private final AuditThread auditThread = new AuditThread("credential-webhook-audit");

    /** Runs the statements of the {@link EndpointFailureMonitor}, for which attempts must not wait. */
    private final ThreadPoolExecutor failures =
            DaemonThreads.single("credential-webhook-failures", new ArrayBlockingQueue<>(MAX_WAITING_FAILURES));

    private final DestinationVetter destinations;
    private final AuditTrail endpointAudit;
    private final EndpointRegistry endpoints;
    private final SecretRotator rotator;
    private final EndpointSignerCache signers;
    private final EndpointPauses pauses;
    private final SecretResealer resealer;
    private final OperationalEvents operationalEvents;
    private final EventDispatcher dispatcher;
    private final DeliveryEngine engine;
    private final CallerTransaction callerTransaction;
    private final DeliveryHistory history;
    private final Duration longestAttempt;
    private volatile boolean closed;

    JdbcWebhookDispatcher(JdbcWebhookDispatcherBuilder builder) {
        DispatcherOptions options = builder.options();
        this.database = builder.database;
        this.tables = DispatcherTables.named(builder.endpointsTable, builder.deliveriesTable);
        this.retention = options.retention();
        this.payloadRetention = options.payloadRetention();
        this.clock = builder.clock;
        this.eventCatalog = builder.eventCatalog;
        this.destinations = new DestinationVetter(builder.destinationPolicy, builder.hostResolver);
        EndpointSecrets secrets = new EndpointSecrets(builder.keyring, builder.random, builder.allowPlainSealMigration);
        EndpointDirectory directory = EndpointDirectory.of(database, tables);
        EndpointRates rates = new EndpointRates(clock, System::nanoTime, this::wakeUp);
        String signatureHeader = DispatcherRules.requireSignatureHeader(builder.signatureHeader);
        this.signers = new EndpointSignerCache(secrets, signatureHeader, clock, builder.random);
        Consumer<String> onChange = endpointId -> {
            directory.changed(endpointId);
            rates.changed(endpointId);
            signers.forget(endpointId);
        };
        EventIdGenerator ids = new EventIdGenerator(builder.random);
        this.operationalEvents = builder.operationalEvents
                ? new OperationalEventStore(database, tables, ids, this::due, clock)
                : OperationalEvents.NONE;
        this.endpointAudit = builder.auditTrail("webhook-endpoint");
        this.endpoints = new EndpointRegistry(
                database,
                tables,
                secrets,
                destinations,
                signatureHeader,
                onChange,
                options.requestTimeout(),
                clock,
                endpointAudit,
                new DeathReporter(builder.auditTrail("webhook-delivery")),
                operationalEvents);
        this.rotator = new SecretRotator(
                database, tables, secrets, endpoints, onChange, options.secretOverlap(), clock, endpointAudit);
        this.pauses = new EndpointPauses(
                database, tables, onChange, this::scanAgain, operationalEvents, clock, endpointAudit);
        this.resealer = new SecretResealer(database, tables, secrets);
        AttemptRunner attempts = new AttemptRunner(
                options,
                destinations,
                builder.transport,
                directory,
                signers,
                rates,
                new EndpointFailureMonitor(
                        database,
                        tables,
                        pauses,
                        options.pauseAfter(),
                        failures,
                        clock,
                        builder.auditTrail("webhook-endpoint", auditThread))::attempted,
                new PayloadReader(database, tables)::ofEvent,
                builder.observations,
                clock,
                builder.random);
        this.engine = new DeliveryEngine(
                options,
                database,
                tables,
                attempts,
                new DeathReporter(builder.auditTrail("webhook-delivery", auditThread)),
                operationalEvents,
                builder.notifications,
                builder.observations,
                clock,
                builder.random);
        this.longestAttempt = options.requestTimeout().plus(OUTCOME_MARGIN);
        this.history = new DeliveryHistory(
                database,
                tables,
                new RowMac(builder.keyring),
                engine,
                longestAttempt,
                builder::auditTrail,
                new DeathReporter(builder.auditTrail("webhook-delivery")),
                operationalEvents,
                builder.actor,
                clock,
                builder.random);
        this.dispatcher = new EventDispatcher(
                options,
                database,
                EventStore.of(database, tables, engine::fullEndpoints),
                engine,
                history::ofEvent,
                builder.keyring,
                ids,
                builder.observations,
                clock);
        this.callerTransaction = new CallerTransaction(database);
    }

    /**
     * Returns a builder.
     *
     * @param database contains the tables of {@link SchemaMigrator}; {@link #declareSchema()} creates the dispatcher's own
     * @param keyring seals the secrets of endpoints
     */
    public static JdbcWebhookDispatcherBuilder builder(CredentialDatabase database, Keyring keyring) {
        return new JdbcWebhookDispatcherBuilder(database, keyring);
    }

    @Override
    public void declareSchema() {
        new SchemaMigrator(database).run(SchemaMode.MIGRATE);
        schema(SchemaMode.MIGRATE);
    }

    /**
     * Migrates the dispatcher's own tables to the current version, or verifies that they are current.
     *
     * @throws SchemaException if they are not current, and were not migrated
     */
    public void schema(SchemaMode mode) {
        new SchemaMigrator(database, tables.scripts(database.dialect())).run(DispatcherRules.require("mode", mode));
    }

    @Override
    public Endpoint registerEndpoint(EndpointRegistration registration) {
        callerTransaction.requireWritable();
        return endpoints.register(registration);
    }

    @Override
    public Endpoint rotateSecret(String endpointId, SecretRotation rotation) {
        callerTransaction.requireWritable();
        return rotator.rotate(endpointId, rotation);
    }

    @Override
    public boolean pauseEndpoint(String endpointId) {
        callerTransaction.requireWritable();
        return pauses.pause(endpointId);
    }

    @Override
    public boolean resumeEndpoint(String endpointId) {
        callerTransaction.requireWritable();
        return pauses.resume(endpointId);
    }

    private void wakeUp() {
        engine.wakeUp();
    }

    private void scanAgain() {
        engine.scanAgain();
    }

    private void due(List<String> endpointIds, long dueAt) {
        engine.due(endpointIds, dueAt);
    }

    /**
     * Stores operational events for the endpoints that subscribe to them. Of events with the same occasion, one is stored, as
     * long as it is kept. Does nothing unless they are {@linkplain JdbcWebhookDispatcherBuilder#operationalEvents enabled}.
     * Joins a transaction of the caller.
     */
    public void raise(List<OperationalEvent> events) {
        DispatcherRules.require("events", events);
        requireOpen();
        operationalEvents.raise(events);
    }

    @Override
    public Delivery sendTestEvent(String endpointId) {
        DispatcherRules.require("endpointId", endpointId);
        requireOpen();
        return dispatcher.sendTest(endpointId, longestAttempt);
    }

    @Override
    public boolean removeEndpoint(String endpointId) {
        callerTransaction.requireWritable();
        return endpoints.remove(endpointId);
    }

    @Override
    public List<Endpoint> listEndpoints() {
        return endpoints.list();
    }

    @Override
    public List<Endpoint> listEndpoints(@Nullable String afterEndpointId, int limit) {
        return endpoints.list(afterEndpointId, limit);
    }

    @Override
    public Optional<Endpoint> getEndpoint(String endpointId) {
        return endpoints.find(endpointId);
    }

    @Override
    public DispatchResult dispatch(String eventType, Object payload, DispatchOptions options) {
        requireOpen();
        return dispatcher.dispatch(eventType, payload, options);
    }

    @Override
    public DispatchResult enqueue(String eventType, Object payload, DispatchOptions options) {
        requireOpen();
        return dispatcher.enqueue(eventType, payload, options);
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
        callerTransaction.requireNone();
        return engine.processRetries();
    }

    @Override
    public ResealResult resealSecrets() {
        callerTransaction.requireWritable();
        ResealResult result = resealer.resealAll();
        Map<String, Object> counts = Map.of("examined", result.examined(), "resealed", result.resealed());
        database.afterCommit(endpointAudit.successReport("webhook.endpoint.reseal", null, counts));
        return result;
    }

    @Override
    public Deliveries deliveries() {
        return history.deliveries();
    }

    @Override
    public DeadLetters dlq() {
        return history.deadLetters();
    }

    /**
     * Starts the background work, which attempts deliveries as soon as this node knows that they are due, and continues
     * {@linkplain Deliveries#retryAll bulk retries}. Does nothing if it is running; starts it again after {@link #stop}.
     *
     * <p>Call {@link #poll()} about every second, {@link #continueJobs()} about every ten seconds, and {@link
     * #removeExpired()} about every hour; the Spring Boot starter does all three. Without polls, the background work scans
     * for deliveries of other nodes only every 15 seconds.
     */
    public void start() {
        requireOpen();
        engine.start();
        history.start();
    }

    /**
     * Makes the background work look for due deliveries, including those that other nodes stored. Returns immediately.
     * After a scan that found open deliveries, the next one waits fifty times as long as the scan took, at most 15
     * seconds. Does nothing before {@link #start()}, or after {@link #stop} or {@link #close()}.
     */
    public void poll() {
        engine.poll();
    }

    /** Returns whether the background work is running. */
    public boolean isStarted() {
        return engine.isStarted();
    }

    /**
     * Reads how many deliveries are not delivered, on all nodes together. The cost grows with the backlog, up to {@link
     * DispatcherBacklog#MOST}: call it every 15 seconds rather than for each request.
     */
    public DispatcherBacklog backlog() {
        return engine.backlog();
    }

    /** Returns what the dispatcher does on this node. Reads nothing from the database. */
    public DispatcherActivity activity() {
        return engine.activity();
    }

    /** Returns how many audit events of the background wait for the audit sink. */
    public int waitingAuditEvents() {
        return auditThread.waiting();
    }

    /** Returns how many audit events of the background were lost because too many waited for the audit sink. */
    public long rejectedAuditEvents() {
        return auditThread.rejected();
    }

    /**
     * Removes deliveries that were delivered, and bulk retries that finished, longer ago than the retention, with all that
     * belongs to them, and erases old secrets whose overlap has ended. Erases the payloads of events that were dispatched
     * longer ago than the payload retention, as {@link Deliveries#erasePayloads} does; events with pending deliveries are
     * skipped. Ends early if the dispatcher is stopped or the thread is interrupted. Call it regularly; nothing else does
     * this.
     *
     * @return how many deliveries were removed
     */
    public int removeExpired() {
        rotator.eraseExpired();
        signers.forgetAll();
        int removed = history.removeBefore(clock.millis() - retention.toMillis());
        if (!payloadRetention.isZero()) {
            history.erasePayloadsBefore(clock.instant().minus(payloadRetention));
        }
        return removed;
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
        history.continueJobs();
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
        history.stop();
        engine.stop(grace);
        history.awaitStopped(rest(grace, began));
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
        history.stop();
        engine.close(grace);
        history.awaitStopped(rest(grace, began));
        // Later attempts, on any node, make up for what is dropped.
        var unused = DaemonThreads.close(failures, CLOSE_FAILURES);
        auditThread.close();
        destinations.close();
    }

    private static Duration rest(Duration grace, long began) {
        Duration rest = grace.minusNanos(System.nanoTime() - began);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The webhook dispatcher is closed");
        }
    }
}
