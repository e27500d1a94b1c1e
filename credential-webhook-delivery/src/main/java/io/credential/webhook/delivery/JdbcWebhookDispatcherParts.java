package io.credential.webhook.delivery;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;

import io.credential.audit.AuditThread;
import io.credential.audit.AuditTrail;
import io.credential.concurrent.DaemonThreads;
import io.credential.seal.RowMac;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.attempt.AttemptReporter;
import io.credential.webhook.delivery.attempt.AttemptSources;
import io.credential.webhook.delivery.attempt.AttemptThreads;
import io.credential.webhook.delivery.attempt.EndpointRates;
import io.credential.webhook.delivery.attempt.RequestSender;
import io.credential.webhook.delivery.endpoint.EndpointDirectory;
import io.credential.webhook.delivery.endpoint.EndpointFailureMonitor;
import io.credential.webhook.delivery.endpoint.EndpointPauses;
import io.credential.webhook.delivery.endpoint.EndpointReader;
import io.credential.webhook.delivery.endpoint.EndpointRegistry;
import io.credential.webhook.delivery.endpoint.EndpointRemover;
import io.credential.webhook.delivery.endpoint.EndpointSecrets;
import io.credential.webhook.delivery.endpoint.EndpointSignerCache;
import io.credential.webhook.delivery.endpoint.SecretResealer;
import io.credential.webhook.delivery.endpoint.SecretRotator;
import io.credential.webhook.delivery.engine.Admission;
import io.credential.webhook.delivery.engine.DeliveryEngine;
import io.credential.webhook.delivery.engine.DueSignals;
import io.credential.webhook.delivery.engine.Wakeup;
import io.credential.webhook.delivery.history.DeliveryHistory;
import io.credential.webhook.delivery.outbox.CallerTransaction;
import io.credential.webhook.delivery.outbox.EventDispatcher;
import io.credential.webhook.delivery.outbox.EventIdGenerator;
import io.credential.webhook.delivery.outbox.EventStore;
import io.credential.webhook.delivery.outbox.OperationalEventStore;
import io.credential.webhook.delivery.queue.DeathReporter;
import io.credential.webhook.delivery.queue.DispatcherContext;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.LiveNodes;
import io.credential.webhook.delivery.queue.OperationalEvents;
import io.credential.webhook.delivery.queue.PayloadReader;
import io.credential.webhook.http.DestinationVetter;

/**
 * Creates the parts of a dispatcher, each after those that it uses: what decides when something is due, then endpoints, then
 * the way of a delivery, then what users call. Nothing runs yet. The dispatcher starts and closes the engine and the history,
 * and closes the executor of failures, the audit thread and the destinations itself.
 */
final class JdbcWebhookDispatcherParts {

    private static final int MAX_WAITING_FAILURES = 10_000;

    final DispatcherContext context;
    final AuditThread auditThread = new AuditThread("credential-webhook-audit");

    /** Runs the statements of the {@link EndpointFailureMonitor}, for which attempts must not wait. */
    final ThreadPoolExecutor failures =
            DaemonThreads.single("credential-webhook-failures", new ArrayBlockingQueue<>(MAX_WAITING_FAILURES));

    final CallerTransaction callerTransaction;
    final DestinationVetter destinations;
    final AuditTrail endpointAudit;
    final OperationalEvents operationalEvents;
    final EndpointSignerCache signers;
    final EndpointReader endpoints;
    final EndpointRegistry registry;
    final EndpointRemover remover;
    final SecretRotator rotator;
    final EndpointPauses pauses;
    final SecretResealer resealer;
    final DeliveryEngine engine;
    final DeliveryHistory history;
    final EventDispatcher dispatcher;

    JdbcWebhookDispatcherParts(JdbcWebhookDispatcherBuilder builder) {
        DispatcherOptions options = builder.options();
        CredentialDatabase database = builder.database;
        DispatcherTables tables = DispatcherTables.named(builder.endpointsTable, builder.deliveriesTable);
        this.context = new DispatcherContext(
                options, database, tables, builder.notifications, builder.observations, builder.clock, builder.random);
        this.callerTransaction = new CallerTransaction(database);
        this.destinations = new DestinationVetter(builder.destinationPolicy, builder.hostResolver);
        this.endpointAudit = builder.auditTrail("webhook-endpoint");

        // When something is due, and how much this node takes.
        Wakeup wakeup = new Wakeup(builder.clock);
        LiveNodes nodes = new LiveNodes(System::nanoTime, wakeup::now);
        EndpointRates rates = new EndpointRates(nodes, builder.clock, wakeup::now);
        AttemptThreads threads = new AttemptThreads();
        Admission admission = new Admission(options, rates, nodes, threads, wakeup);
        DueSignals signals = new DueSignals(admission, wakeup, builder.notifications, tables.deliveries());
        EventIdGenerator ids = new EventIdGenerator(builder.random);
        this.operationalEvents = builder.operationalEvents
                ? new OperationalEventStore(database, tables, ids, signals::due, builder.clock)
                : OperationalEvents.NONE;
        DeathReporter deaths = new DeathReporter(database, operationalEvents, builder.auditTrail("webhook-delivery"));

        // Endpoints.
        String signatureHeader = DispatcherRules.requireSignatureHeader(builder.signatureHeader);
        EndpointSecrets secrets = new EndpointSecrets(builder.keyring, builder.random, builder.allowPlainSealMigration);
        EndpointDirectory directory = EndpointDirectory.of(database, tables);
        EndpointSignerCache signers = new EndpointSignerCache(secrets, signatureHeader, builder.clock, builder.random);
        Consumer<String> onChange = endpointId -> {
            directory.changed(endpointId);
            rates.changed(endpointId);
            signers.forget(endpointId);
        };
        this.signers = signers;
        this.endpoints = new EndpointReader(context, secrets);
        this.registry = new EndpointRegistry(context, secrets, destinations, signatureHeader, onChange, endpointAudit);
        this.remover = new EndpointRemover(context, onChange, endpointAudit, deaths);
        this.rotator = new SecretRotator(context, secrets, endpoints, onChange, endpointAudit);
        this.pauses = new EndpointPauses(
                database, tables, onChange, signals::scanAgain, operationalEvents, builder.clock, endpointAudit);
        this.resealer = new SecretResealer(database, tables, secrets);

        // The way of a delivery.
        EndpointFailureMonitor monitor = new EndpointFailureMonitor(
                database,
                tables,
                pauses,
                options.pauseAfter(),
                failures,
                builder.clock,
                builder.auditTrail("webhook-endpoint", auditThread));
        PayloadReader payloads = new PayloadReader(database, tables);
        this.engine = new DeliveryEngine(
                context,
                signals,
                new AttemptSources(directory, signers, payloads::ofEvent, destinations, threads),
                new RequestSender(options, builder.transport, builder.observations, builder.random),
                new AttemptReporter(monitor::attempted),
                new DeathReporter(database, operationalEvents, builder.auditTrail("webhook-delivery", auditThread)));

        // What users call.
        this.history = new DeliveryHistory(
                context, new RowMac(builder.keyring), engine, builder::auditTrail, deaths, builder.actor);
        this.dispatcher = new EventDispatcher(
                context,
                EventStore.of(database, tables, engine::fullEndpoints),
                engine,
                history::ofEvent,
                builder.keyring,
                ids);
    }
}
