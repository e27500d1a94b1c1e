package io.credential.webhook.delivery.internal.attempt;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.micrometer.observation.ObservationRegistry;

import io.credential.observation.CredentialObservation;
import io.credential.observation.WebhookAttemptObservationContext;
import io.credential.observation.WebhookAttemptObservationConvention;
import io.credential.observation.WebhookRequestObservationContext;
import io.credential.observation.WebhookRequestObservationConvention;
import io.credential.observation.internal.GuardedObservation;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.http.WebhookResponse;

/** Observes one attempt and its request. Both continue the trace of the dispatch. */
public final class AttemptObservation {

    private static final WebhookAttemptObservationConvention CONVENTION = new WebhookAttemptObservationConvention();
    private static final WebhookRequestObservationConvention REQUEST_CONVENTION =
            new WebhookRequestObservationConvention();

    private final ObservationRegistry observations;
    private final GuardedObservation<WebhookAttemptObservationContext> observation;

    AttemptObservation(ObservationRegistry observations, ClaimedDelivery delivery) {
        this.observations = observations;
        this.observation = GuardedObservation.start(
                CredentialObservation.WEBHOOK_ATTEMPT,
                CONVENTION,
                new WebhookAttemptObservationContext(
                        delivery.deliveryId(),
                        delivery.eventId(),
                        delivery.endpointId(),
                        delivery.eventType(),
                        delivery.attempt(),
                        delivery.traceParent()),
                observations,
                null);
    }

    /** Runs the attempt, and stops when it has ended. */
    public CompletableFuture<Settlement> run(Supplier<CompletableFuture<Settlement>> attempt) {
        CompletableFuture<Settlement> running;
        try {
            running = attempt.get();
        } catch (RuntimeException | Error e) {
            failed(e);
            observation.stop();
            throw e;
        }
        return running.whenComplete((settlement, failure) -> {
            if (settlement != null) {
                noteOutcome(settlement);
            }
            observation.stop();
        });
    }

    /** Starts the observation of the request; with tracing, adds {@code traceparent} to its headers. */
    Request request(Map<String, String> headers) {
        GuardedObservation<WebhookRequestObservationContext> request = GuardedObservation.start(
                CredentialObservation.WEBHOOK_REQUEST,
                REQUEST_CONVENTION,
                new WebhookRequestObservationContext(),
                observations,
                observation);
        String traceParent = request.context().traceParent();
        if (traceParent != null) {
            headers.put("traceparent", traceParent);
        }
        return new Request(request);
    }

    /** Notes why the attempt fails. */
    public void failed(Throwable failure) {
        observation.error(failure);
        observation.context().failing(reason(failure));
    }

    private void noteOutcome(Settlement settlement) {
        WebhookAttemptObservationContext context = observation.context();
        DeadReason dead = settlement.reason();
        AttemptLog log = settlement.log();
        Integer status = settlement.responseStatus();
        if (dead != null && dead != DeadReason.ATTEMPTS_EXHAUSTED) {
            context.failing(dead.text());
        } else if (log != null && log.failure() != null) {
            context.failing(log.failure().reason().text());
        }
        context.ended(outcome(settlement), status);
    }

    private static String outcome(Settlement settlement) {
        return switch (settlement.status()) {
            case DELIVERED -> "delivered";
            case DEAD -> "dead";
            default -> settlement.attempted() ? "failed" : "released";
        };
    }

    private static String reason(Throwable failure) {
        return failure instanceof DataAccessException || failure instanceof TransactionException
                ? "unavailable"
                : FailureExplainer.reason(failure).text();
    }

    /** The observation of one request. */
    record Request(GuardedObservation<WebhookRequestObservationContext> observation) {

        /** Sends the request; returns the response after its observation has been stopped. */
        CompletableFuture<WebhookResponse> run(Supplier<CompletableFuture<WebhookResponse>> sending) {
            CompletableFuture<WebhookResponse> response;
            try {
                response = sending.get();
            } catch (RuntimeException | Error e) {
                failed(e);
                observation.stop();
                throw e;
            }
            return response.whenComplete((answer, failure) -> {
                if (answer != null) {
                    observation.context().answered(answer.status());
                } else if (failure != null) {
                    failed(
                            failure instanceof CompletionException && failure.getCause() != null
                                    ? failure.getCause()
                                    : failure);
                }
                observation.stop();
            });
        }

        private void failed(Throwable failure) {
            observation.context().failed();
            observation.error(failure);
        }
    }
}
