package io.credential.webhook.delivery.engine;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.notification.NodeNotifications;
import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.delivery.attempt.AttemptReporter;
import io.credential.webhook.delivery.attempt.AttemptSources;
import io.credential.webhook.delivery.attempt.AttemptThreads;
import io.credential.webhook.delivery.attempt.EndpointRates;
import io.credential.webhook.delivery.attempt.OutcomePolicy;
import io.credential.webhook.delivery.attempt.RequestSender;
import io.credential.webhook.delivery.endpoint.EndpointSecrets;
import io.credential.webhook.delivery.endpoint.EndpointSignerCache;
import io.credential.webhook.delivery.endpoint.TestEndpoints;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.LiveNodes;
import io.credential.webhook.delivery.queue.Payload;
import io.credential.webhook.delivery.queue.Settler;
import io.credential.webhook.delivery.queue.Subscriber;
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
                settler,
                new OutcomeReporter(
                        death -> {},
                        new EndpointHealthReporter(clock),
                        new AttemptReporter((endpointId, attempted, response) -> {}),
                        new DueSignals(admission, wakeup, NodeNotifications.none(), "deliveries"),
                        clock),
                clock);
    }
}
