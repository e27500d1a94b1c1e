package io.credential.webhook.delivery.attempt;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import io.credential.seal.UnknownSealKeyException;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.delivery.queue.AttemptLog;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.Settlement;
import io.credential.webhook.delivery.queue.StoredResponse;
import io.credential.webhook.delivery.queue.Subscriber;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/** Decides what becomes of a delivery after an attempt: delivered, retried, postponed or dead. Thread-safe. */
final class OutcomePolicy {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);

    private static final long POSTPONED_MILLIS = 1000;
    private static final long KEY_MISSING_MILLIS = 60_000;
    private static final int MAX_REPORTED_KEYS = 100;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final DispatcherOptions options;
    private final AttemptRunner.OutcomeListener outcomes;
    private final InstantSource clock;
    private final SecureRandom random;
    private final Set<String> reportedKeys = ConcurrentHashMap.newKeySet();

    OutcomePolicy(
            DispatcherOptions options,
            AttemptRunner.OutcomeListener outcomes,
            InstantSource clock,
            SecureRandom random) {
        this.options = options;
        this.outcomes = outcomes;
        this.clock = clock;
        this.random = random;
    }

    Settlement answered(Attempt attempt, Subscriber subscriber, WebhookResponse response) {
        outcomes.attempted(attempt.delivery().endpointId(), subscriber, response);
        if (response.successful()) {
            AttemptLog log = attempt.log(ResponseRecorder.accepted(response), null);
            return Settlement.delivered(attempt.delivery(), clock.millis(), log);
        }
        StoredResponse stored = ResponseRecorder.failed(response, attempt.secrets());
        return retryOrDead(attempt, attempt.log(stored, FailureExplainer.of(response)), requestedPause(response));
    }

    Settlement failed(Attempt attempt, Subscriber subscriber, Throwable thrown) {
        Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (failure != null) {
            attempt.observation().failed(failure);
        }
        if (failure instanceof DataAccessException || isOfNode(failure)) {
            return postponed(attempt.delivery(), failure);
        }
        if (failure instanceof UnknownSealKeyException missing) {
            report(missing.keyId());
            return Settlement.postponed(attempt.delivery(), clock.millis() + KEY_MISSING_MILLIS);
        }
        if (FailureExplainer.isOfEndpoint(failure)) {
            outcomes.attempted(attempt.delivery().endpointId(), subscriber, null);
        }
        WebhookResponse partial = failure instanceof WebhookTransportException broken ? broken.response() : null;
        AttemptLog log = attempt.log(
                partial == null ? null : ResponseRecorder.failed(partial, attempt.secrets()),
                FailureExplainer.of(attempt.delivery(), failure));
        boolean permanent = failure instanceof UnsafeDestinationException refused && refused.permanent();
        return permanent
                ? Settlement.dead(attempt.delivery(), clock.millis(), DeadReason.UNSAFE_DESTINATION, log)
                : retryOrDead(attempt, log, partial == null ? 0 : requestedPause(partial));
    }

    Settlement postponed(ClaimedDelivery delivery, @Nullable Throwable reason) {
        LOG.debug("Postponed the delivery {}", delivery.deliveryId(), reason);
        return Settlement.postponed(delivery, clock.millis() + POSTPONED_MILLIS);
    }

    private static boolean isOfNode(@Nullable Throwable failure) {
        return failure instanceof WebhookTransportException e
                && (e.failure() == Failure.CLOSED || e.failure() == Failure.OVERLOADED);
    }

    /** Returns the pause that the receiver asks for, in milliseconds; 0 for none. */
    private long requestedPause(WebhookResponse response) {
        boolean mayRequest = response.status() == TOO_MANY_REQUESTS || response.status() == SERVICE_UNAVAILABLE;
        Duration longest = options.backoff().max();
        return mayRequest
                ? response.retryAfter(clock.instant())
                        .map(pause -> pause.compareTo(longest) < 0 ? pause : longest)
                        .map(Duration::toMillis)
                        .orElse(0L)
                : 0;
    }

    /** Once for each key. */
    private void report(String missingKey) {
        if (reportedKeys.size() < MAX_REPORTED_KEYS && reportedKeys.add(missingKey)) {
            LOG.warn(
                    "The keyring of this node lacks the key '{}', with which secrets of webhook endpoints are sealed. This node"
                            + " does not attempt their deliveries; add the key to the keyring and restart",
                    missingKey);
        }
    }

    private Settlement retryOrDead(Attempt attempt, AttemptLog log, long requestedMillis) {
        ClaimedDelivery delivery = attempt.delivery();
        long now = clock.millis();
        if (delivery.attempt() >= options.maxAttempts()) {
            return Settlement.dead(delivery, now, DeadReason.ATTEMPTS_EXHAUSTED, log);
        }
        long pause = options.backoff().pauseMillis(delivery.attempt(), random);
        return Settlement.failed(delivery, now + Math.max(pause, requestedMillis), log);
    }
}
