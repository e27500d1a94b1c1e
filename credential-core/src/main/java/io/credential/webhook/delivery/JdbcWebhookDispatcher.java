package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.audit.AuditSink;
import io.credential.audit.AuditThread;
import io.credential.audit.AuditTrail;
import io.credential.seal.Keyring;
import io.credential.seal.ResealResult;
import io.credential.secret.RandomHex;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaException;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;

/**
 * The dispatcher over a database. Nothing runs in the background before {@link #start()}; {@link #processRetries()}
 * works without it. Close it to let attempts under way finish and to give back what it has claimed; dispatching and
 * processing retries then throw {@link IllegalStateException}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class JdbcWebhookDispatcher implements WebhookDispatcher, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcWebhookDispatcher.class);

    /** For outcomes at the very end of the grace to be stored. */
    private static final Duration LAST_OUTCOMES = Duration.ofSeconds(2);

    /** For an outcome at the very end of the request time-out to be stored while its caller waits. */
    private static final Duration OUTCOME_MARGIN = Duration.ofMillis(500);

    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

    private final DispatcherOptions options;
    private final CredentialDatabase database;
    private final DispatcherTables tables;
    private final InstantSource clock;
    private final DestinationVetter destinations;
    private final OwnTransport ownTransport;
    private final AuditThread auditThread = new AuditThread("credential-webhook-audit");
    private final ClaimRecovery recovery;
    private final DispatcherLease lease;
    private final DeliveryEngine engine;
    private final EndpointRegistry endpoints;
    private final SecretResealer resealer;
    private final EventDispatcher dispatcher;
    private final RetryRun retries;
    private final Retention retention;
    private final DeliveryLoop loop;
    private final CallerTransaction callerTransaction;
    private final DeliveryClaims claims;
    private final Deliveries deliveries;
    private final DeadLetters deadLetters;
    private volatile boolean started;
    private volatile boolean stopped;
    private volatile boolean closed;

    private JdbcWebhookDispatcher(Builder builder) {
        this.options = DispatcherOptions.of(builder);
        this.database = builder.database;
        this.tables = DispatcherTables.named(builder.endpointsTable, builder.deliveriesTable);
        this.clock = builder.clock;
        Wakeup wakeup = new Wakeup(clock);
        Agenda agenda = new Agenda();
        Runnable moreMayBeDue = () -> {
            agenda.markIncomplete();
            wakeup.now();
        };
        this.destinations = new DestinationVetter(builder.destinationPolicy, builder.hostResolver);
        this.ownTransport = new OwnTransport(options);
        EndpointSecrets secrets = new EndpointSecrets(builder.keyring, builder.random, builder.allowPlainSealMigration);
        EndpointSigners signers = new EndpointSigners(
                secrets, DispatcherRules.requireSignatureHeader(builder.signatureHeader), clock, builder.random);
        DeliveryQueue queue = DeliveryQueue.of(database, tables, options.inlinePayloadBytes());
        EventStore events = EventStore.of(database, tables, this::fullLanes);
        DeathAudit deaths = new DeathAudit(builder.auditTrail("webhook-delivery", auditThread));
        this.recovery =
                new ClaimRecovery(database, tables, options.claimReclaimAfter(), moreMayBeDue, clock, System::nanoTime);
        this.lease = new DispatcherLease(database, new RandomHex(builder.random), this::hasClaims, recovery::run);
        EndpointDirectory directory = EndpointDirectory.of(database, tables);
        ExecutorService starters = DeliveryEngine.starters();
        AttemptRunner attempts = new AttemptRunner(
                options,
                destinations,
                builder.transport == null ? ownTransport : new BoundedTransport(builder.transport),
                directory,
                signers,
                events::payload,
                claim -> lease.isHeld(claim.owner()),
                starters,
                clock,
                builder.random);
        this.engine = new DeliveryEngine(
                options,
                attempts,
                new Settler(queue, options.claimReclaimAfter().toMillis()),
                agenda,
                wakeup,
                deaths,
                new EndpointHealth(clock),
                clock,
                starters);
        this.claims = new DeliveryClaims(queue, agenda, lease, recovery, engine, clock, builder.random);
        JdbcDeliveryLog log = new JdbcDeliveryLog(database, tables);
        InlineAttempts inline = new InlineAttempts(engine);
        Redelivery redelivery = new Redelivery(
                database,
                tables,
                log,
                claims,
                inline,
                moreMayBeDue,
                clock,
                options.requestTimeout().plus(OUTCOME_MARGIN));
        this.endpoints = new EndpointRegistry(
                database,
                tables,
                secrets,
                destinations,
                directory::changed,
                options.requestTimeout(),
                clock,
                builder.auditTrail("webhook-endpoint", Runnable::run),
                new DeathAudit(builder.auditTrail("webhook-delivery", Runnable::run)));
        this.resealer = new SecretResealer(database, tables, secrets);
        this.dispatcher = new EventDispatcher(
                options,
                database,
                events,
                log,
                new EventIds(builder.random),
                claims,
                engine,
                inline,
                () -> started,
                agenda,
                wakeup,
                clock);
        this.retries = new RetryRun(options, claims, engine);
        this.callerTransaction = new CallerTransaction(database);
        this.retention = new Retention(database, tables);
        this.loop = new DeliveryLoop(options, claims, engine, wakeup);
        this.deliveries = new StoredDeliveries(log, redelivery);
        this.deadLetters =
                new StoredDeadLetters(log, new DeadLetterBatches(database, tables), redelivery, moreMayBeDue, clock);
    }

    /**
     * @param database with the tables of {@link SchemaMigrator}; {@link #declareSchema()} makes the dispatcher's own
     * @param keyring seals the secrets of endpoints
     */
    public static Builder builder(CredentialDatabase database, Keyring keyring) {
        return new Builder(database, keyring);
    }

    @Override
    public void declareSchema() {
        new SchemaMigrator(database).run(SchemaMode.MIGRATE);
        schema(SchemaMode.MIGRATE);
    }

    /**
     * Brings the dispatcher's own tables to the current version, or checks that they are.
     *
     * @throws SchemaException if they are not current and were not brought there
     */
    public void schema(SchemaMode mode) {
        new SchemaMigrator(database, tables.scripts(database.dialect())).run(DispatcherRules.require("mode", mode));
    }

    @Override
    public Endpoint registerEndpoint(EndpointRegistration registration) {
        return endpoints.register(registration);
    }

    @Override
    public boolean removeEndpoint(String endpointId) {
        return endpoints.remove(endpointId);
    }

    @Override
    public List<Endpoint> listEndpoints() {
        return endpoints.list();
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
    public RetryResult processRetries() {
        requireOpen();
        callerTransaction.requireNone();
        return retries.process();
    }

    @Override
    public ResealResult resealSecrets() {
        return resealer.resealSecrets();
    }

    @Override
    public Deliveries deliveries() {
        return deliveries;
    }

    @Override
    public DeadLetters dlq() {
        return deadLetters;
    }

    /**
     * Starts the background work, which attempts deliveries as soon as this node knows that they are due. Does nothing when
     * it runs; starts it again after {@link #stop}.
     *
     * <p>It has no schedule. Call {@link #poll()} about every second, otherwise deliveries that other nodes stored are not
     * found, and {@link #removeExpired()} about every hour. The Spring Boot starter does both.
     */
    public void start() {
        requireOpen();
        stopped = false;
        ownTransport.open();
        engine.lanes().open();
        loop.start();
        started = true;
    }

    /**
     * Asks the background work to look for due deliveries, also for those that other nodes stored. Returns immediately. An
     * expensive look is repeated only after fifty times its duration, at most 15 seconds. Does nothing before {@link
     * #start()}, and after {@link #stop} or {@link #close()}.
     */
    public void poll() {
        if (started) {
            loop.poll();
        }
    }

    /**
     * Removes deliveries, with their attempts and events, that were delivered longer ago than the retention. Call it
     * regularly; nothing else removes them.
     *
     * @return how many deliveries were removed
     */
    public int removeExpired() {
        return retention.removeDeliveredBefore(
                clock.millis() - options.retention().toMillis());
    }

    /**
     * Claims nothing more, lets attempts under way finish for a while, then ends them; what was claimed and not
     * attempted to the end is released, and attempted by another node or after the next {@link #start}. What is
     * dispatched meanwhile is stored and waits.
     *
     * @param grace how long to wait for attempts under way
     */
    public void stop(Duration grace) {
        DispatcherRules.require("grace", grace);
        started = false;
        loop.stop();
        engine.lanes().close();
        boolean finished = engine.awaitIdle(grace);
        ownTransport.close();
        if (!finished && !engine.awaitIdle(LAST_OUTCOMES)) {
            LOG.warn("Webhook attempts are still in flight after the grace period; their outcomes may not be stored");
        }
        lease.release();
        stopped = true;
    }

    /** Closes with a grace of ten seconds. */
    @Override
    public void close() {
        close(DEFAULT_GRACE);
    }

    /**
     * Stops for good; nothing can be dispatched afterwards.
     *
     * @param grace how long to wait for attempts under way; does not apply after {@link #stop}, which has waited
     */
    public void close(Duration grace) {
        DispatcherRules.require("grace", grace);
        if (closed) {
            return;
        }
        closed = true;
        claims.close();
        stop(stopped ? Duration.ZERO : grace);
        engine.close();
        auditThread.close();
        destinations.close();
    }

    private boolean hasClaims() {
        return !engine.isIdle() || recovery.isPending() || claims.hasOpenReservations();
    }

    private Set<String> fullLanes() {
        return engine.lanes().full();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The webhook dispatcher is closed");
        }
    }

    /**
     * Collects the options. Null is refused at once with {@code webhook-dispatcher/bad-opts}, all else by {@link
     * #build()}. Not thread-safe.
     */
    public static final class Builder {

        final CredentialDatabase database;
        final Keyring keyring;
        String endpointsTable = DispatcherTables.DEFAULT_ENDPOINTS;
        String deliveriesTable = DispatcherTables.DEFAULT_DELIVERIES;
        int maxAttempts = 8;
        RetryBackoff retryBackoff = RetryBackoff.defaults();
        Duration claimReclaimAfter = Duration.ofMinutes(5);
        int batchSize = 100;
        Duration requestTimeout = Duration.ofSeconds(15);
        Duration dispatchWait = Duration.ofSeconds(2);
        int maxInFlight = 256;
        int maxInFlightPerEndpoint = 16;
        long maxInFlightBytes = 64L * 1024 * 1024;
        boolean requireAudience;
        int maxPayloadBytes = 1024 * 1024;
        Duration retention = Duration.ofDays(30);
        String signatureHeader = "Webhook-Signature";
        DestinationPolicy destinationPolicy = DestinationPolicy.builder().build();
        HostResolver hostResolver = HostResolver.system();

        @Nullable WebhookTransport transport;

        InstantSource clock = InstantSource.system();
        SecureRandom random = new SecureRandom();
        AuditSink auditSink = AuditSink.none();
        Supplier<@Nullable String> actor = () -> null;
        boolean allowPlainSealMigration;

        private Builder(CredentialDatabase database, Keyring keyring) {
            this.database = DispatcherRules.require("database", database);
            this.keyring = DispatcherRules.require("keyring", keyring);
        }

        /**
         * The table of endpoints, {@code [A-Za-z_][A-Za-z0-9_]{0,62}}; that of subscriptions is named after it. Default:
         * {@code _credential_webhook_endpoints}.
         */
        public Builder endpointsTable(String name) {
            this.endpointsTable = DispatcherRules.require("endpointsTable", name);
            return this;
        }

        /**
         * The table of deliveries, {@code [A-Za-z_][A-Za-z0-9_]{0,62}}; those of events, attempts and the history of the
         * schema are named after it. Default: {@code _credential_webhook_deliveries}.
         */
        public Builder deliveriesTable(String name) {
            this.deliveriesTable = DispatcherRules.require("deliveriesTable", name);
            return this;
        }

        /** How often a delivery is attempted before it is dead, 1 to 1000; default: 8. */
        public Builder maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        /** How long to wait between attempts; default: {@link RetryBackoff#defaults()}. */
        public Builder retryBackoff(RetryBackoff backoff) {
            this.retryBackoff = DispatcherRules.require("retryBackoff", backoff);
            return this;
        }

        /** When a claim counts as left behind; at least twice the request time-out; default: 5 minutes. */
        public Builder claimReclaimAfter(Duration duration) {
            this.claimReclaimAfter = DispatcherRules.require("claimReclaimAfter", duration);
            return this;
        }

        /** How many deliveries are claimed at once, 1 to 1000; default: 100. */
        public Builder batchSize(int deliveries) {
            this.batchSize = deliveries;
            return this;
        }

        /** For DNS, connect, TLS, headers and body of one attempt together, at least 1 ms; default: 15 s. */
        public Builder requestTimeout(Duration timeout) {
            this.requestTimeout = DispatcherRules.require("requestTimeout", timeout);
            return this;
        }

        /**
         * How long {@code dispatch} outside a transaction waits for the outcomes of its attempts, 1 ms to 1 h; what is
         * not settled by then goes on in the background. Default: 2 s.
         */
        public Builder dispatchWait(Duration wait) {
            this.dispatchWait = DispatcherRules.require("dispatchWait", wait);
            return this;
        }

        /** How many attempts are under way at once, 1 to 10000; default: 256. */
        public Builder maxInFlight(int attempts) {
            this.maxInFlight = attempts;
            return this;
        }

        /** How many of them go to one endpoint, at least 1; default: 16. No more than {@link #maxInFlight} ever do. */
        public Builder maxInFlightPerEndpoint(int attempts) {
            this.maxInFlightPerEndpoint = attempts;
            return this;
        }

        /**
         * How many bytes of payloads the deliveries that are claimed and the attempts under way hold at once, at least 1;
         * default: 64 MiB. A single payload that is longer is sent while no other large one is.
         */
        public Builder maxInFlightBytes(long bytes) {
            this.maxInFlightBytes = bytes;
            return this;
        }

        /** Whether a dispatch without an audience is refused; default: false, it reaches all. */
        public Builder requireAudience(boolean required) {
            this.requireAudience = required;
            return this;
        }

        /** The longest payload in bytes, at least 1; default: 1 MiB. */
        public Builder maxPayloadSize(int bytes) {
            this.maxPayloadBytes = bytes;
            return this;
        }

        /** How long delivered deliveries are kept, at least 1 ms; default: 30 days. */
        public Builder retention(Duration duration) {
            this.retention = DispatcherRules.require("retention", duration);
            return this;
        }

        /** The header that carries the signature; default: {@code Webhook-Signature}. */
        public Builder signatureHeader(String name) {
            this.signatureHeader = DispatcherRules.require("signatureHeader", name);
            return this;
        }

        /** Where webhooks may go; default: public addresses by HTTP and HTTPS. */
        public Builder destinationPolicy(DestinationPolicy policy) {
            this.destinationPolicy = DispatcherRules.require("destinationPolicy", policy);
            return this;
        }

        /** Looks up host names; default: the operating system. */
        public Builder hostResolver(HostResolver resolver) {
            this.hostResolver = DispatcherRules.require("hostResolver", resolver);
            return this;
        }

        /**
         * Sends; stays the caller's to close, after the dispatcher. Default: an HTTP transport of the dispatcher's own,
         * made at the first attempt.
         */
        public Builder transport(WebhookTransport transport) {
            this.transport = DispatcherRules.require("transport", transport);
            return this;
        }

        /** Says when deliveries are due, and when they were signed; default: the system clock. */
        public Builder clock(InstantSource clock) {
            this.clock = DispatcherRules.require("clock", clock);
            return this;
        }

        /** For secrets' seals, ids, tokens and jitter; default: the platform's. */
        public Builder random(SecureRandom random) {
            this.random = DispatcherRules.require("random", random);
            return this;
        }

        /**
         * Hears of endpoints and of dead deliveries; default: none. Those that die in the background are reported by a thread
         * of their own.
         */
        public Builder auditSink(AuditSink sink) {
            this.auditSink = DispatcherRules.require("auditSink", sink);
            return this;
        }

        /** Names who is acting on the calling thread, for the audit trail; default: nobody known. */
        public Builder actor(Supplier<@Nullable String> actor) {
            this.actor = DispatcherRules.require("actor", actor);
            return this;
        }

        /** Opens the window in which secrets of the plain form are read, to reseal them; default: closed. */
        public Builder allowPlainSealMigration(boolean allow) {
            this.allowPlainSealMigration = allow;
            return this;
        }

        /**
         * The dispatcher; its background work is not started.
         *
         * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when an option is out of range
         */
        public JdbcWebhookDispatcher build() {
            return new JdbcWebhookDispatcher(this);
        }

        private AuditTrail auditTrail(String resourceKind, Executor executor) {
            return new AuditTrail(auditSink, actor, clock, resourceKind, true, true, executor);
        }
    }
}
