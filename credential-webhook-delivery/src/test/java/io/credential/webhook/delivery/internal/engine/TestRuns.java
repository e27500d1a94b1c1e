package io.credential.webhook.delivery.internal.engine;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.internal.notification.NodeNotifications;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.attempt.AttemptReporter;
import io.credential.webhook.delivery.internal.attempt.AttemptSources;
import io.credential.webhook.delivery.internal.attempt.AttemptThreads;
import io.credential.webhook.delivery.internal.attempt.EndpointRates;
import io.credential.webhook.delivery.internal.attempt.OutcomePolicy;
import io.credential.webhook.delivery.internal.attempt.RequestSender;
import io.credential.webhook.delivery.internal.endpoint.EndpointSecrets;
import io.credential.webhook.delivery.internal.endpoint.EndpointSignerCache;
import io.credential.webhook.delivery.internal.endpoint.TestEndpoints;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.LiveNodes;
import io.credential.webhook.delivery.internal.queue.Payload;
import io.credential.webhook.delivery.internal.queue.Settler;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.WebhookTransport;

/** Runs of deliveries without a database. */
record TestRuns(DispatcherOptions options, InstantSource clock, EndpointSecrets secrets) {

    /** @param executor begins attempts */
    Admission admission(Executor executor, Wakeup wakeup) {
        LiveNodes nodes = new LiveNodes(System::nanoTime, () -> {});
        return new Admission(options, new EndpointRates(nodes, clock, () -> {}), nodes, executor, wakeup);
    }

    /** @param subscriber every endpoint; null if there is none */
    AttemptSources sources(
            @Nullable Subscriber subscriber,
            LongSupplier directoryTime,
            DestinationVetter destinations,
            AttemptThreads threads) {
        return new AttemptSources(
                TestEndpoints.directory(subscriber, directoryTime),
                new EndpointSignerCache(secrets, "Webhook-Signature", clock, new SecureRandom()),
                eventId -> Payload.stored(new byte[0]),
                destinations,
                threads);
    }

    DeliveryRuns runs(
            Admission admission,
            Wakeup wakeup,
            Predicate<Claim> isHeld,
            AttemptSources sources,
            WebhookTransport transport,
            Settler settler) {
        SecureRandom random = new SecureRandom();
        return new DeliveryRuns(
                admission,
                isHeld,
                sources,
                new RequestSender(options, transport, ObservationRegistry.NOOP, random),
                new OutcomePolicy(options, random),
                new AttemptReporter((endpointId, attempted, response) -> {}),
                settler,
                new OutcomeReporter(
                        death -> {},
                        outcome -> {},
                        new EndpointHealthReporter(clock),
                        new DueSignals(admission, wakeup, NodeNotifications.none(), "deliveries"),
                        clock),
                clock);
    }
}
