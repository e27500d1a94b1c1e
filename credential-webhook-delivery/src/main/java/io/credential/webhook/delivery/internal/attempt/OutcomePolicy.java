package io.credential.webhook.delivery.internal.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Settlement;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * Decides what becomes of a delivery: delivered, retried, postponed, released or dead. Only calculates; it reads nothing,
 * not even the time. Thread-safe.
 */
public final class OutcomePolicy {

    static final long POSTPONED_MILLIS = 1000;
    static final long KEY_MISSING_MILLIS = 60_000;

    private static final int MAX_TEXT = 2048;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final DispatcherOptions options;
    private final RandomGenerator random;

    /** @param random for the jitter of pauses */
    public OutcomePolicy(DispatcherOptions options, RandomGenerator random) {
        this.options = options;
        this.random = random;
    }

    /** Returns how long an attempt may take. */
    public Duration requestTimeout() {
        return options.requestTimeout();
    }

    /** Returns whether there is time to send the request and to store its outcome before others take the claim over. */
    public boolean isInTime(Claim claim, Instant now) {
        long latest = claim.claimedAt()
                + options.claimReclaimAfter()
                        .minus(options.requestTimeout())
                        .minus(options.settleMargin())
                        .toMillis();
        return now.toEpochMilli() <= latest;
    }

    /** Returns the outcome of a delivery whose nodes died during each of its attempts; empty if it may be attempted. */
    public Optional<Settlement> ofAttempts(ClaimedDelivery delivery, Instant now) {
        return delivery.attempt() > options.maxAttempts()
                ? Optional.of(dead(delivery, DeadReason.LEASE_EXPIRED, "lease expired", now))
                : Optional.empty();
    }

    /** Returns the outcome of a delivery whose endpoint must not get it now; empty if it may get it. */
    public Optional<Settlement> ofEndpoint(ClaimedDelivery delivery, Subscriber current, Instant now) {
        if (current.paused() && !delivery.requested()) {
            return Optional.of(Settlement.released(delivery));
        }
        return Objects.equals(current.audience(), delivery.audience())
                ? Optional.empty()
                : Optional.of(dead(
                        delivery,
                        DeadReason.AUDIENCE_CHANGED,
                        "audience-changed: the endpoint belongs to another audience than at dispatch",
                        now));
    }

    /** Returns the outcome of a delivery whose endpoint was removed. */
    public Settlement removed(ClaimedDelivery delivery, Instant now) {
        return dead(delivery, DeadReason.ENDPOINT_REMOVED, Settlement.ENDPOINT_REMOVED, now);
    }

    /** Returns the outcome of a delivery whose endpoint was changed without its keys. */
    public Settlement tampered(ClaimedDelivery delivery, Instant now) {
        return dead(
                delivery,
                DeadReason.INTEGRITY,
                "integrity: the sealed secrets and headers of the endpoint do not belong to its id, URL and audience",
                now);
    }

    /** Returns the outcome of a delivery whose payload does not fit into an envelope. */
    public Settlement notJson(ClaimedDelivery delivery, String problem, Instant now) {
        return dead(
                delivery,
                DeadReason.PAYLOAD_NOT_JSON,
                "payload-not-json: the payload format of the endpoint is envelope, but " + problem,
                now);
    }

    /** Returns the outcome of a delivery that this node cannot attempt at the moment. */
    public Settlement postponed(ClaimedDelivery delivery, Instant now) {
        return Settlement.postponed(delivery, now.toEpochMilli() + POSTPONED_MILLIS);
    }

    private static Settlement dead(ClaimedDelivery delivery, DeadReason reason, String error, Instant now) {
        return Settlement.deadUnattempted(
                delivery, now.toEpochMilli(), reason, ResponseRecorder.storable(error, MAX_TEXT));
    }

    /** Returns the outcome of an attempt that the receiver answered. */
    public Settlement answered(Attempt attempt, WebhookResponse response, Instant now) {
        if (response.successful()) {
            return Settlement.delivered(
                    attempt.delivery(), now.toEpochMilli(), attempt.log(ResponseRecorder.accepted(response), null));
        }
        AttemptLog log =
                attempt.log(ResponseRecorder.failed(response, attempt.secrets()), FailureExplainer.of(response));
        return retryOrDead(attempt.delivery(), log, requestedPause(response, now), now);
    }

    /** Returns the outcome of an attempt that failed before the receiver had answered completely. */
    public Settlement failed(Attempt attempt, @Nullable Throwable failure, Instant now) {
        ClaimedDelivery delivery = attempt.delivery();
        if (isOfNode(failure)) {
            return postponed(delivery, now);
        }
        if (failure instanceof UnknownSealKeyException) {
            return Settlement.postponed(delivery, now.toEpochMilli() + KEY_MISSING_MILLIS);
        }
        WebhookResponse partial = failure instanceof WebhookTransportException broken ? broken.response() : null;
        AttemptLog log = attempt.log(
                partial == null ? null : ResponseRecorder.failed(partial, attempt.secrets()),
                FailureExplainer.of(failure));
        boolean permanent = failure instanceof UnsafeDestinationException refused && refused.permanent();
        return permanent
                ? Settlement.dead(delivery, now.toEpochMilli(), DeadReason.UNSAFE_DESTINATION, log)
                : retryOrDead(delivery, log, partial == null ? 0 : requestedPause(partial, now), now);
    }

    /** Returns whether a failure shows that the endpoint does not work. */
    static boolean isOfEndpoint(@Nullable Throwable failure) {
        return !isOfNode(failure)
                && (failure instanceof WebhookTransportException || failure instanceof UnsafeDestinationException);
    }

    /** What is this node's own congestion is never counted. */
    static boolean isOfNode(@Nullable Throwable failure) {
        return failure instanceof DataAccessException
                || failure instanceof TransactionException
                || (failure instanceof WebhookTransportException e
                        && (e.failure() == Failure.CLOSED || e.failure() == Failure.OVERLOADED));
    }

    /** Returns the pause that the receiver asks for, in milliseconds; 0 for none. */
    private long requestedPause(WebhookResponse response, Instant now) {
        boolean mayRequest = response.status() == TOO_MANY_REQUESTS || response.status() == SERVICE_UNAVAILABLE;
        Duration longest = options.backoff().max();
        return mayRequest
                ? response.retryAfter(now)
                        .map(pause -> pause.compareTo(longest) < 0 ? pause : longest)
                        .map(Duration::toMillis)
                        .orElse(0L)
                : 0;
    }

    private Settlement retryOrDead(ClaimedDelivery delivery, AttemptLog log, long requestedMillis, Instant now) {
        if (delivery.attempt() >= options.maxAttempts()) {
            return Settlement.dead(delivery, now.toEpochMilli(), DeadReason.ATTEMPTS_EXHAUSTED, log);
        }
        long pause = options.backoff().pauseMillis(delivery.attempt(), random);
        return Settlement.failed(delivery, now.toEpochMilli() + Math.max(pause, requestedMillis), log);
    }
}
