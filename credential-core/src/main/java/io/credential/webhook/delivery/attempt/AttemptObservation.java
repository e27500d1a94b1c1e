package io.credential.webhook.delivery.attempt;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.micrometer.observation.ObservationRegistry;

import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.Settlement;
import io.credential.webhook.http.WebhookResponse;

/** Observes one attempt and its request. */
interface AttemptObservation {

    /** Does nothing. */
    AttemptObservation NONE = new AttemptObservation() {

        @Override
        public CompletableFuture<Settlement> run(Supplier<CompletableFuture<Settlement>> attempt) {
            return attempt.get();
        }

        @Override
        public Request request(Map<String, String> headers) {
            return Supplier::get;
        }

        @Override
        public void failed(Throwable failure) {}
    };

    /** Starts an observation; returns {@link #NONE} if nothing observes. */
    static AttemptObservation start(ObservationRegistry observations, ClaimedDelivery delivery) {
        return observations.isNoop() ? NONE : new ObservedAttempt(observations, delivery);
    }

    /** Runs the attempt, and stops when it has ended. */
    CompletableFuture<Settlement> run(Supplier<CompletableFuture<Settlement>> attempt);

    /** Starts the observation of the request; with tracing, adds {@code traceparent} to its headers. */
    Request request(Map<String, String> headers);

    /** Notes why the attempt fails. */
    void failed(Throwable failure);

    /** The observation of one request. */
    @FunctionalInterface
    interface Request {

        /** Sends the request; returns the response after its observation has been stopped. */
        CompletableFuture<WebhookResponse> run(Supplier<CompletableFuture<WebhookResponse>> sending);
    }
}
