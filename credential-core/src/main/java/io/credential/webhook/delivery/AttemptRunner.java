package io.credential.webhook.delivery;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.seal.SealException;
import io.credential.seal.UnknownSealKeyException;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * One attempt: the destination is vetted anew, the body signed anew, the request sent, and the answer judged. Touches no
 * database. Thread-safe.
 */
final class AttemptRunner {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);

    private static final String USER_AGENT = "credential/" + version();
    private static final long POSTPONED_MILLIS = 1000;
    private static final int MAX_TEXT = 2048;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final DispatcherOptions options;
    private final DestinationVetter destinations;
    private final WebhookTransport transport;
    private final EndpointSigners signers;
    private final Predicate<Claim> isHeld;
    private final InstantSource clock;
    private final RandomGenerator random;

    /**
     * @param isHeld whether this node still stands behind a claim
     */
    AttemptRunner(
            DispatcherOptions options,
            DestinationVetter destinations,
            WebhookTransport transport,
            EndpointSigners signers,
            Predicate<Claim> isHeld,
            InstantSource clock,
            RandomGenerator random) {
        this.options = options;
        this.destinations = destinations;
        this.transport = transport;
        this.signers = signers;
        this.isHeld = isHeld;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Attempts a delivery within the request time-out.
     *
     * @return what came of it; never fails
     */
    CompletableFuture<Settlement> attempt(ClaimedDelivery delivery) {
        Subscriber subscriber = delivery.subscriber();
        if (subscriber == null) {
            return settled(Settlement.deadUnattempted(delivery, clock.millis(), Settlement.ENDPOINT_REMOVED));
        }
        if (delivery.attempt() > options.maxAttempts()) {
            return settled(Settlement.deadUnattempted(delivery, clock.millis(), "lease expired"));
        }
        if (!mayStart(delivery.claim())) {
            return settled(Settlement.released(delivery));
        }
        Attempt attempt = new Attempt(delivery, clock.millis(), System.nanoTime());
        try {
            return destinations
                    .vet(new URI(subscriber.url()), options.requestTimeout())
                    .thenCompose(destination -> send(attempt, subscriber, destination))
                    .thenApply(response -> judge(attempt, response))
                    .exceptionally(failure -> failed(attempt, failure));
        } catch (URISyntaxException | RuntimeException e) {
            return settled(failed(attempt, e));
        }
    }

    /** Time for the request and for storing its outcome must be left before others take the claim over. */
    private boolean mayStart(Claim claim) {
        long latest = claim.claimedAt()
                + options.claimReclaimAfter()
                        .minus(options.requestTimeout())
                        .minus(options.settleMargin())
                        .toMillis();
        return clock.millis() <= latest && isHeld.test(claim);
    }

    private CompletableFuture<WebhookResponse> send(
            Attempt attempt, Subscriber subscriber, VettedDestination destination) {
        Duration left = options.requestTimeout().minusNanos(System.nanoTime() - attempt.startedNanos());
        if (left.toMillis() < 1) {
            throw new WebhookTransportException(Failure.TIMEOUT, "The host was not resolved in time");
        }
        ClaimedDelivery delivery = attempt.delivery();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("User-Agent", USER_AGENT);
        headers.put("X-Webhook-Delivery-Id", delivery.deliveryId());
        headers.put("X-Webhook-Event-Id", delivery.eventId());
        headers.put("X-Webhook-Event-Type", delivery.eventType());
        headers.put("X-Webhook-Attempt", Integer.toString(delivery.attempt()));
        headers.putAll(signers.sign(delivery.endpointId(), subscriber, delivery.payload())
                .headers());
        return transport.send(
                new WebhookRequest(destination, headers, delivery.payload().bytes(), left));
    }

    private Settlement judge(Attempt attempt, WebhookResponse response) {
        String error = response.successful() ? null : "HTTP " + response.status();
        AttemptLog log = attempt.log(response.status(), error, response.body());
        if (error == null) {
            return Settlement.delivered(attempt.delivery(), clock.millis(), log);
        }
        return retryOrDead(attempt, log, asked(response));
    }

    /** How long the receiver asks to be left alone, in milliseconds. */
    private long asked(WebhookResponse response) {
        boolean heeded = response.status() == TOO_MANY_REQUESTS || response.status() == SERVICE_UNAVAILABLE;
        Duration longest = options.backoff().max();
        return heeded
                ? response.retryAfter(clock.instant())
                        .map(asked -> asked.compareTo(longest) < 0 ? asked : longest)
                        .map(Duration::toMillis)
                        .orElse(0L)
                : 0;
    }

    private Settlement failed(Attempt attempt, Throwable thrown) {
        Throwable failure = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        if (failure instanceof WebhookTransportException e
                && (e.failure() == Failure.CLOSED || e.failure() == Failure.OVERLOADED)) {
            return Settlement.postponed(attempt.delivery(), clock.millis() + POSTPONED_MILLIS);
        }
        AttemptLog log = attempt.log(null, reason(attempt.delivery(), failure), null);
        boolean hopeless = failure instanceof URISyntaxException
                || (failure instanceof UnsafeDestinationException refused && refused.permanent());
        return hopeless ? Settlement.dead(attempt.delivery(), clock.millis(), log) : retryOrDead(attempt, log, 0);
    }

    private Settlement retryOrDead(Attempt attempt, AttemptLog log, long askedMillis) {
        ClaimedDelivery delivery = attempt.delivery();
        long now = clock.millis();
        if (delivery.attempt() >= options.maxAttempts()) {
            return Settlement.dead(delivery, now, log);
        }
        long pause = options.backoff().pauseMillis(delivery.attempt(), random);
        return Settlement.failed(delivery, now + Math.max(pause, askedMillis), log);
    }

    /** May be shown to whoever entered the URL: what these exceptions say was written for that. */
    private static String reason(ClaimedDelivery delivery, @Nullable Throwable failure) {
        if (failure instanceof WebhookTransportException || failure instanceof UnsafeDestinationException) {
            return String.valueOf(failure.getMessage());
        }
        if (failure instanceof URISyntaxException) {
            return "The URL of the endpoint is none";
        }
        if (failure instanceof SealException || failure instanceof UnknownSealKeyException) {
            LOG.error("The secret of the endpoint {} cannot be opened", delivery.endpointId(), failure);
            return "The secret of the endpoint cannot be opened";
        }
        LOG.error("An attempt of the delivery {} failed in an unexpected way", delivery.deliveryId(), failure);
        return "The attempt failed in an unexpected way";
    }

    private static CompletableFuture<Settlement> settled(Settlement settlement) {
        return CompletableFuture.completedFuture(settlement);
    }

    /** From a file that the build writes: a manifest is lost when an application packs everything into one jar. */
    private static String version() {
        try (InputStream in = AttemptRunner.class.getResourceAsStream("version.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param startedAt in unix milliseconds */
    private record Attempt(ClaimedDelivery delivery, long startedAt, long startedNanos) {

        AttemptLog log(@Nullable Integer status, @Nullable String error, @Nullable String body) {
            long duration = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
            return new AttemptLog(startedAt, duration, status, storable(error), storable(body));
        }

        /** The transport may be the application's. PostgreSQL refuses NUL, and the outcome with it. */
        private static @Nullable String storable(@Nullable String text) {
            return text == null
                    ? null
                    : text.substring(0, Math.min(text.length(), MAX_TEXT)).replace('\0', '\ufffd');
        }
    }
}
