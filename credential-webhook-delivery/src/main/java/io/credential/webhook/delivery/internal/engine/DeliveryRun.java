package io.credential.webhook.delivery.internal.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.internal.attempt.Attempt;
import io.credential.webhook.delivery.internal.attempt.AttemptObservation;
import io.credential.webhook.delivery.internal.attempt.AttemptSources;
import io.credential.webhook.delivery.internal.attempt.RequestSender;
import io.credential.webhook.delivery.internal.endpoint.EndpointDirectory;
import io.credential.webhook.delivery.internal.endpoint.EndpointSigner;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Payload;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * One delivery in flight, from its claim to its stored outcome. Its five stages are methods, in order: {@link #admit} waits
 * for a place, {@link #prepare} reads what the request needs, {@link #vet} checks the destination, {@link #send} signs and sends,
 * and {@link #settle} stores the outcome. Each of the middle three can end with an outcome, and the others are then skipped.
 */
final class DeliveryRun implements Lanes.Task {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryRun.class);

    private final ClaimedDelivery delivery;
    private final DeliveryRuns runs;
    private final boolean isAwaited;
    private final CompletableFuture<Settled> settled = new CompletableFuture<>();

    /** @param isAwaited whether a caller waits for the outcome */
    DeliveryRun(ClaimedDelivery delivery, DeliveryRuns runs, boolean isAwaited) {
        this.delivery = delivery;
        this.runs = runs;
        this.isAwaited = isAwaited;
    }

    /** The outcome of a claim. It is not stored if another node has taken the delivery over, or the database fails. */
    record Settled(Settlement settlement, boolean stored) {}

    /** An attempt that has begun, at this time in Unix milliseconds, and by {@link System#nanoTime}. */
    private record Begun(AttemptObservation observation, long at, long nanos) {}

    /** A request that is ready, apart from its destination. */
    private record Prepared(
            Begun begun,
            EndpointDirectory.Entry endpoint,
            Subscriber subscriber,
            EndpointSigner signer,
            Payload payload,
            Payload body) {

        Prepared with(Subscriber current) {
            return new Prepared(begun, endpoint, current, signer, payload, body);
        }
    }

    /**
     * Takes the delivery, and attempts it as soon as there is a place. One that gets none is released at once, so that it
     * takes no place while it waits.
     *
     * @return the outcome; never fails
     */
    CompletableFuture<Settled> admit() {
        if (!runs.admission().admit(delivery, this)) {
            abandon();
        }
        return settled;
    }

    /** Begins the attempt, once the delivery has a place. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the derived future only passes the outcome on
    public void begin() {
        attempt().whenComplete((settlement, failure) -> {
            try {
                runs.admission().lanes().end(delivery.endpointId(), this, answer(settlement));
            } finally {
                settle(settlement == null ? Settlement.released(delivery) : settlement);
            }
        });
    }

    /** Never throws: the place must be freed. */
    private CompletableFuture<Settlement> attempt() {
        try {
            AttemptObservation observation = runs.sender().observe(delivery);
            return observation.run(() -> prepare(observation));
        } catch (Throwable e) {
            LOG.error("Could not attempt the delivery {}; its claim is released", delivery.deliveryId(), e);
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Settlement> prepare(AttemptObservation observation) {
        Optional<Settlement> exhausted = runs.policy().ofAttempts(delivery, now());
        if (exhausted.isPresent()) {
            return ended(exhausted.get());
        }
        if (!mayBegin()) { // before the reads, which may be large
            return ended(Settlement.released(delivery));
        }
        EndpointDirectory.Entry endpoint;
        Payload payload;
        try {
            endpoint = runs.sources().endpoints().current(delivery);
            payload = runs.sources().payload(delivery);
        } catch (DataAccessException | TransactionException e) {
            observation.failed(e);
            LOG.debug("Postponed the delivery {}", delivery.deliveryId(), e);
            return ended(runs.policy().postponed(delivery, now()));
        }
        // After the reads, which may have waited for the database.
        return mayBegin()
                ? prepareFor(endpoint, new Begun(observation, runs.clock().millis(), System.nanoTime()), payload)
                : ended(Settlement.released(delivery));
    }

    private boolean mayBegin() {
        return runs.policy().isInTime(delivery.claim(), now()) && runs.isHeld().test(delivery.claim());
    }

    /** Repeated if the endpoint changes before the request is sent. */
    private CompletableFuture<Settlement> prepareFor(EndpointDirectory.Entry endpoint, Begun begun, Payload payload) {
        Subscriber subscriber = endpoint.subscriber();
        if (subscriber == null) {
            return ended(runs.policy().removed(delivery, now()));
        }
        Optional<Settlement> refused = runs.policy().ofEndpoint(delivery, subscriber, now());
        if (refused.isPresent()) {
            return ended(refused.get());
        }
        try {
            // Before DNS: the URL can be trusted only if secret and headers open with it.
            Optional<EndpointSigner> signer = runs.sources().signer(delivery, subscriber);
            if (signer.isEmpty()) {
                return ended(runs.policy().tampered(delivery, now()));
            }
            Optional<String> problem = AttemptSources.problem(subscriber, payload);
            if (problem.isPresent()) {
                return ended(runs.policy().notJson(delivery, problem.get(), now()));
            }
            Payload body = AttemptSources.body(delivery, subscriber, payload);
            return vet(new Prepared(begun, endpoint, subscriber, signer.get(), payload, body));
        } catch (RuntimeException e) {
            return ended(failed(begun, subscriber, null, e));
        }
    }

    private CompletableFuture<Settlement> vet(Prepared prepared) {
        long asked = System.nanoTime();
        return runs.sources()
                .destinations()
                .vet(prepared.subscriber().url(), runs.policy().requestTimeout())
                .thenApply(destination -> resolvedInTime(destination, prepared.begun(), asked))
                .thenCompose(
                        destination -> runs.sources().endpoints().isCurrent(delivery.endpointId(), prepared.endpoint())
                                ? send(prepared, destination)
                                : runs.sources()
                                        .readAgain(delivery)
                                        .thenCompose(current -> sendIfSame(current, prepared, destination)))
                .exceptionally(failure -> failed(prepared.begun(), prepared.subscriber(), null, failure));
    }

    /** A name server that is always late must not postpone an attempt for ever. */
    private VettedDestination resolvedInTime(VettedDestination destination, Begun begun, long asked) {
        long now = System.nanoTime();
        long timeout = runs.policy().requestTimeout().toNanos();
        boolean isSlow = now - asked > timeout / 2;
        boolean isHardlyTimeLeft = now - begun.nanos() > timeout - timeout / 10;
        if (isSlow && isHardlyTimeLeft) {
            throw new WebhookTransportException(
                    FailureReason.DNS_FAILED, null, null, "The host was not resolved in time", null);
        }
        return destination;
    }

    private CompletableFuture<Settlement> sendIfSame(
            EndpointDirectory.Entry endpoint, Prepared prepared, VettedDestination destination) {
        Subscriber before = prepared.subscriber();
        Subscriber current = endpoint.subscriber();
        return current != null && current.sendsLike(before) && current.paused() == before.paused()
                ? send(prepared.with(current), destination)
                : prepareFor(endpoint, prepared.begun(), prepared.payload());
    }

    private CompletableFuture<Settlement> send(Prepared prepared, VettedDestination destination) {
        Begun begun = prepared.begun();
        Subscriber subscriber = prepared.subscriber();
        Duration left = runs.policy().requestTimeout().minusNanos(System.nanoTime() - begun.nanos());
        if (left.toMillis() < 1) {
            // A slow name server has failed before: this node was too busy, or waited for the database.
            throw new WebhookTransportException(Failure.OVERLOADED, "This node had no time left to send the request");
        }
        if (!runs.admission().rates().use(delivery, subscriber)) {
            return ended(Settlement.released(delivery));
        }
        RequestSender.Sent request = runs.sender()
                .send(delivery, prepared.signer(), prepared.body(), destination, left, begun.observation());
        return request.response()
                .thenApply(response -> answered(begun, subscriber, request, response))
                .exceptionally(failure -> failed(begun, subscriber, request, failure));
    }

    private Settlement answered(
            Begun begun, Subscriber subscriber, RequestSender.Sent request, WebhookResponse response) {
        runs.attempts().answered(delivery, subscriber, response);
        return runs.policy().answered(attempt(begun, request), response, now());
    }

    /** @param request null if it was not sent */
    private Settlement failed(
            Begun begun, Subscriber subscriber, RequestSender.@Nullable Sent request, Throwable thrown) {
        Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (failure != null) {
            begun.observation().failed(failure);
        }
        runs.attempts().failed(delivery, subscriber, failure);
        return runs.policy().failed(attempt(begun, request), failure, now());
    }

    private Attempt attempt(Begun begun, RequestSender.@Nullable Sent request) {
        return new Attempt(
                delivery,
                begun.at(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun.nanos()),
                request == null ? null : request.shownHeaders(),
                request == null ? List.of() : request.secrets());
    }

    /** Gives the delivery back unattempted. A released suspect would be claimed again at once: it is always the next. */
    @Override
    public void abandon() {
        settle(delivery.isSuspect() ? postponed() : Settlement.released(delivery));
    }

    private Settlement postponed() {
        long capacityAt = runs.admission().rates().capacityAt(delivery.endpointId());
        long soon = runs.clock().millis() + OutcomeReporter.RELEASED_PAUSE_MILLIS;
        return Settlement.postponed(delivery, capacityAt == Long.MAX_VALUE ? soon : Math.max(soon, capacityAt));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the derived future only passes the outcome on
    private void settle(Settlement settlement) {
        runs.admission().rates().giveBack(delivery);
        runs.settler().settle(settlement, isAwaited).whenComplete((stored, failure) -> {
            boolean isStored = Boolean.TRUE.equals(stored);
            try {
                runs.outcomes().report(settlement, isStored);
            } finally {
                runs.admission().leave(delivery); // first: whoever waits may claim the next suspect at once
                settled.complete(new Settled(settlement, isStored));
            }
        });
    }

    @Override
    public long bytesToLoad() {
        if (delivery.payload() != null) {
            return 0;
        }
        Subscriber subscriber = delivery.subscriber();
        boolean isEnvelope = subscriber != null && subscriber.payloadFormat() == PayloadFormat.ENVELOPE;
        return isEnvelope ? 2L * delivery.payloadSize() : delivery.payloadSize(); // an envelope is a copy
    }

    /** An attempt without a response that took half of the timeout timed out: a refused connection fails at once. */
    private Lanes.Answer answer(@Nullable Settlement settlement) {
        AttemptLog log = settlement == null ? null : settlement.log();
        if (log == null) {
            return Lanes.Answer.NONE;
        }
        if (log.responseStatus() != null) {
            return Lanes.Answer.ANSWERED;
        }
        long timedOut = Math.max(1, runs.policy().requestTimeout().toMillis() / 2);
        return log.duration() >= timedOut ? Lanes.Answer.TIMED_OUT : Lanes.Answer.NONE;
    }

    private Instant now() {
        return runs.clock().instant();
    }

    private static CompletableFuture<Settlement> ended(Settlement settlement) {
        return CompletableFuture.completedFuture(settlement);
    }
}
