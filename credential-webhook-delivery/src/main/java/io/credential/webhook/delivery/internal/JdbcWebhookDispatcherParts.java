package io.credential.webhook.delivery.internal;

import io.credential.audit.internal.AuditThread;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.Sealer;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.attempt.AttemptReporter;
import io.credential.webhook.delivery.internal.attempt.AttemptSources;
import io.credential.webhook.delivery.internal.attempt.AttemptThreads;
import io.credential.webhook.delivery.internal.attempt.EndpointRates;
import io.credential.webhook.delivery.internal.attempt.RequestSender;
import io.credential.webhook.delivery.internal.engine.Admission;
import io.credential.webhook.delivery.internal.engine.DeliveryEngine;
import io.credential.webhook.delivery.internal.engine.DueSignals;
import io.credential.webhook.delivery.internal.engine.Wakeup;
import io.credential.webhook.delivery.internal.history.DeliveryHistory;
import io.credential.webhook.delivery.internal.outbox.CallerTransaction;
import io.credential.webhook.delivery.internal.outbox.EventDispatcher;
import io.credential.webhook.delivery.internal.outbox.EventIdGenerator;
import io.credential.webhook.delivery.internal.outbox.OperationalEventStore;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.LiveNodes;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;
import io.credential.webhook.delivery.internal.queue.PayloadReader;

/**
 * Creates the parts of a dispatcher, each after those that it uses: what decides when something is due, then endpoints, then
 * the way of a delivery, then what users call. Nothing runs yet. The dispatcher starts and stops the engine and the history.
 * It closes the engine, the audit thread, and the executor and the destinations of the endpoints.
 */
final class JdbcWebhookDispatcherParts {

    final DispatcherContext context;
    final AuditThread auditThread = new AuditThread("credential-webhook-audit");
    final CallerTransaction callerTransaction;
    final OperationalEvents operationalEvents;
    final JdbcWebhookDispatcherEndpoints endpoints;
    final DeliveryEngine engine;
    final DeliveryHistory history;
    final EventDispatcher dispatcher;

    /** Seals what audiences are given. */
    final Sealer sealer;

    JdbcWebhookDispatcherParts(JdbcWebhookDispatcherBuilder builder) {
        this.context = context(builder);
        DispatcherOptions options = context.options();
        CredentialDatabase database = context.database();
        DispatcherTables tables = context.tables();
        this.callerTransaction = new CallerTransaction(database);

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
        this.endpoints = new JdbcWebhookDispatcherEndpoints(
                builder, context, rates, signals, operationalEvents, deaths, auditThread);

        // The way of a delivery.
        PayloadReader payloads = new PayloadReader(database, tables);
        this.engine = new DeliveryEngine(
                context,
                signals,
                new AttemptSources(
                        endpoints.directory, endpoints.signers, payloads::ofEvent, endpoints.destinations, threads),
                new RequestSender(options, builder.transport, builder.observations, builder.random),
                new AttemptReporter(endpoints.monitor::attempted),
                new DeathReporter(database, operationalEvents, builder.auditTrail("webhook-delivery", auditThread)),
                endpoints.statistics::count);

        // What users call.
        this.history = new DeliveryHistory(
                context, new RowMac(builder.keyring), engine, builder::auditTrail, deaths, builder.actor);
        this.sealer = new Sealer(builder.keyring, builder.random);
        this.dispatcher = new EventDispatcher(context, engine, endpoints.audit, history::ofEvent, builder.keyring, ids);
    }

    private static DispatcherContext context(JdbcWebhookDispatcherBuilder builder) {
        return new DispatcherContext(
                builder.options(),
                builder.database,
                DispatcherTables.named(builder.endpointsTable, builder.deliveriesTable),
                builder.notifications,
                builder.observations,
                builder.clock,
                builder.random);
    }
}
