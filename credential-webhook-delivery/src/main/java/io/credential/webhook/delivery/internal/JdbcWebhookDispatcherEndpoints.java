package io.credential.webhook.delivery.internal;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;

import io.credential.audit.internal.AuditThread;
import io.credential.audit.internal.AuditTrail;
import io.credential.internal.concurrent.DaemonThreads;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.attempt.EndpointRates;
import io.credential.webhook.delivery.internal.endpoint.EndpointDirectory;
import io.credential.webhook.delivery.internal.endpoint.EndpointFailureMonitor;
import io.credential.webhook.delivery.internal.endpoint.EndpointPauses;
import io.credential.webhook.delivery.internal.endpoint.EndpointReader;
import io.credential.webhook.delivery.internal.endpoint.EndpointRegistry;
import io.credential.webhook.delivery.internal.endpoint.EndpointRemover;
import io.credential.webhook.delivery.internal.endpoint.EndpointSecrets;
import io.credential.webhook.delivery.internal.endpoint.EndpointSignerCache;
import io.credential.webhook.delivery.internal.endpoint.SecretResealer;
import io.credential.webhook.delivery.internal.endpoint.SecretRotator;
import io.credential.webhook.delivery.internal.engine.DueSignals;
import io.credential.webhook.delivery.internal.queue.DeathReporter;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.delivery.internal.queue.OperationalEvents;
import io.credential.webhook.delivery.internal.statistics.JdbcDeliveryStatistics;
import io.credential.webhook.http.DestinationVetter;

/** Creates the parts of a dispatcher that are about its endpoints. */
final class JdbcWebhookDispatcherEndpoints {

    private static final int MAX_WAITING_FAILURES = 10_000;

    final DestinationVetter destinations;
    final AuditTrail audit;
    final EndpointDirectory directory;
    final EndpointSignerCache signers;
    final EndpointReader reader;
    final EndpointRegistry registry;
    final EndpointRemover remover;
    final SecretRotator rotator;
    final EndpointPauses pauses;
    final SecretResealer resealer;

    /** Runs the statements of the {@link EndpointFailureMonitor}, for which attempts must not wait. */
    final ThreadPoolExecutor failures =
            DaemonThreads.single("credential-webhook-failures", new ArrayBlockingQueue<>(MAX_WAITING_FAILURES));

    final EndpointFailureMonitor monitor;
    final JdbcDeliveryStatistics statistics;

    /** @param auditThread records what the monitor does */
    JdbcWebhookDispatcherEndpoints(
            JdbcWebhookDispatcherBuilder builder,
            DispatcherContext context,
            EndpointRates rates,
            DueSignals signals,
            OperationalEvents operationalEvents,
            DeathReporter deaths,
            AuditThread auditThread) {
        CredentialDatabase database = context.database();
        DispatcherTables tables = context.tables();
        String signatureHeader = HeaderRules.requireSignatureHeader(builder.signatureHeader);
        context.options().requestHeaders().requireValid(signatureHeader);
        EndpointSecrets secrets = new EndpointSecrets(builder.keyring, builder.random, builder.allowPlainSealMigration);
        this.destinations = new DestinationVetter(builder.destinationPolicy, builder.hostResolver);
        this.audit = builder.auditTrail("webhook-endpoint");
        this.directory = EndpointDirectory.of(database, tables);
        this.signers = new EndpointSignerCache(secrets, signatureHeader, builder.clock, builder.random);
        Consumer<String> onChange = endpointId -> {
            directory.changed(endpointId);
            rates.changed(endpointId);
            signers.forget(endpointId);
        };
        this.statistics = new JdbcDeliveryStatistics(context);
        this.reader = new EndpointReader(context, secrets);
        this.registry = new EndpointRegistry(
                context, secrets, destinations, signatureHeader, statistics::created, onChange, audit);
        this.remover = new EndpointRemover(context, onChange, audit, deaths);
        this.rotator = new SecretRotator(context, secrets, reader, onChange, audit);
        this.pauses = new EndpointPauses(
                database, tables, onChange, signals::scanAgain, operationalEvents, builder.clock, audit);
        this.resealer = new SecretResealer(database, tables, secrets);
        AuditTrail background = builder.auditTrail("webhook-endpoint", auditThread);
        this.monitor = new EndpointFailureMonitor(
                database, tables, pauses, context.options().pauseAfter(), failures, builder.clock, background);
    }
}
