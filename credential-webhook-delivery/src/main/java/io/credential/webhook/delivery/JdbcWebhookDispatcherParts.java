package io.credential.webhook.delivery;

import io.credential.audit.AuditThread;
import io.credential.seal.RowMac;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.attempt.AttemptReporter;
import io.credential.webhook.delivery.attempt.AttemptSources;
import io.credential.webhook.delivery.attempt.AttemptThreads;
import io.credential.webhook.delivery.attempt.EndpointRates;
import io.credential.webhook.delivery.attempt.RequestSender;
import io.credential.webhook.delivery.engine.Admission;
import io.credential.webhook.delivery.engine.DeliveryEngine;
import io.credential.webhook.delivery.engine.DueSignals;
import io.credential.webhook.delivery.engine.Wakeup;
import io.credential.webhook.delivery.history.DeliveryHistory;
import io.credential.webhook.delivery.outbox.CallerTransaction;
import io.credential.webhook.delivery.outbox.EventDispatcher;
import io.credential.webhook.delivery.outbox.EventIdGenerator;
import io.credential.webhook.delivery.outbox.OperationalEventStore;
import io.credential.webhook.delivery.queue.DeathReporter;
import io.credential.webhook.delivery.queue.DispatcherContext;
import io.credential.webhook.delivery.queue.DispatcherTables;
import io.credential.webhook.delivery.queue.LiveNodes;
import io.credential.webhook.delivery.queue.OperationalEvents;
import io.credential.webhook.delivery.queue.PayloadReader;

/**
 * Creates the parts of a dispatcher, each after those that it uses: what decides when something is due, then endpoints, then
 * the way of a delivery, then what users call. Nothing runs yet. The dispatcher starts and closes the engine and the history,
 * and closes the audit thread, and the executor and the destinations of the endpoints itself.
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

    JdbcWebhookDispatcherParts(JdbcWebhookDispatcherBuilder builder) {
        DispatcherOptions options = builder.options();
        CredentialDatabase database = builder.database;
        DispatcherTables tables = DispatcherTables.named(builder.endpointsTable, builder.deliveriesTable);
        this.context = new DispatcherContext(
                options, database, tables, builder.notifications, builder.observations, builder.clock, builder.random);
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
                new DeathReporter(database, operationalEvents, builder.auditTrail("webhook-delivery", auditThread)));

        // What users call.
        this.history = new DeliveryHistory(
                context, new RowMac(builder.keyring), engine, builder::auditTrail, deaths, builder.actor);
        this.dispatcher = new EventDispatcher(context, engine, history::ofEvent, builder.keyring, ids);
    }
}
