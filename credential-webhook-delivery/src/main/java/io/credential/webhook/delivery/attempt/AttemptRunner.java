package io.credential.webhook.delivery.attempt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.micrometer.observation.ObservationRegistry;

import io.credential.seal.SealException;
import io.credential.seal.Sealer;
import io.credential.secret.RandomHex;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DispatcherOptions;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.endpoint.EndpointDirectory;
import io.credential.webhook.delivery.endpoint.EndpointSigner;
import io.credential.webhook.delivery.endpoint.EndpointSignerCache;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.HeaderText;
import io.credential.webhook.delivery.queue.JsonValidator;
import io.credential.webhook.delivery.queue.Payload;
import io.credential.webhook.delivery.queue.Settlement;
import io.credential.webhook.delivery.queue.Subscriber;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * Runs one attempt: opens the secret, checks the destination, signs the body, sends the request and evaluates the response.
 * Reads from the database only what was not read with the claim: large payloads, and endpoints that may have changed since.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class AttemptRunner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);
    private static final String USER_AGENT = "credential/" + version();
    private static final int MAX_TEXT = 2048;
    private static final int ID_SUFFIX_BYTES = 16;

    private final DispatcherOptions options;
    private final DestinationVetter destinations;
    private final HttpWebhookTransport ownTransport;
    private final @Nullable BoundedTransport givenTransport;
    private final EndpointDirectory endpoints;
    private final EndpointSignerCache signers;
    private final EndpointRates rates;
    private final OutcomePolicy policy;
    private final Function<String, Payload> payloads;
    private final AttemptThreads threads = new AttemptThreads();
    private final ObservationRegistry observations;
    private final InstantSource clock;
    private final RandomHex idSuffixes;

    /** Receives the outcome of each attempt, unless it failed because of this node; must not block. */
    @FunctionalInterface
    public interface OutcomeListener {

        /**
         * @param subscriber the endpoint as it was attempted
         * @param response null if the request could not be sent, or was not answered
         */
        void attempted(String endpointId, Subscriber subscriber, @Nullable WebhookResponse response);
    }

    /**
     * @param transport the application's transport; null to create one
     * @param payloads reads the payload of an event
     */
    public AttemptRunner(
            DispatcherOptions options,
            DestinationVetter destinations,
            @Nullable WebhookTransport transport,
            EndpointDirectory endpoints,
            EndpointSignerCache signers,
            EndpointRates rates,
            OutcomeListener outcomes,
            Function<String, Payload> payloads,
            ObservationRegistry observations,
            InstantSource clock,
            SecureRandom random) {
        this.options = options;
        this.destinations = destinations;
        this.ownTransport = ownTransport(options);
        this.givenTransport = transport == null ? null : new BoundedTransport(transport);
        this.endpoints = endpoints;
        this.signers = signers;
        this.rates = rates;
        this.policy = new OutcomePolicy(options, outcomes, clock, random);
        this.payloads = payloads;
        this.observations = observations;
        this.clock = clock;
        this.idSuffixes = new RandomHex(random);
    }

    /** Allows requests again after {@link #endExchanges}. */
    public void open() {
        ownTransport.open();
        if (givenTransport != null) {
            givenTransport.open();
        }
    }

    /** Returns what holds requests to the rate limits of their endpoints. */
    public EndpointRates rates() {
        return rates;
    }

    /** Returns the threads that start attempts; tasks must not wait for long. */
    public Executor threads() {
        return threads;
    }

    /** Ends the exchanges in progress. */
    public void endExchanges() {
        ownTransport.close(Duration.ZERO);
        if (givenTransport != null) {
            givenTransport.close();
        }
    }

    /** Has neither threads nor sockets before its first request. */
    private static HttpWebhookTransport ownTransport(DispatcherOptions options) {
        Duration timeout = options.requestTimeout();
        return HttpWebhookTransport.builder()
                .connectTimeout(timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT)
                .maxConcurrent(options.maxInFlight())
                .build();
    }

    @Override
    public void close() {
        threads.close();
    }

    /**
     * Attempts a delivery within the request timeout.
     *
     * @param isHeld returns whether this node still holds a claim
     * @return the outcome; never fails
     */
    public CompletableFuture<Settlement> attempt(ClaimedDelivery delivery, Predicate<Claim> isHeld) {
        AttemptObservation observation = new AttemptObservation(observations, delivery);
        return observation.run(() -> attempt(delivery, isHeld, observation));
    }

    private CompletableFuture<Settlement> attempt(
            ClaimedDelivery delivery, Predicate<Claim> isHeld, AttemptObservation observation) {
        if (delivery.attempt() > options.maxAttempts()) {
            return dead(delivery, DeadReason.LEASE_EXPIRED, "lease expired");
        }
        if (!mayBegin(delivery, isHeld)) { // before the reads, which may be large
            return settled(Settlement.released(delivery));
        }
        EndpointDirectory.Entry endpoint;
        Payload payload;
        try {
            endpoint = endpoints.current(delivery);
            payload = payload(delivery);
        } catch (DataAccessException | TransactionException e) {
            observation.failed(e);
            return settled(policy.postponed(delivery, e));
        }
        // After the reads, which may have waited for the database.
        return mayBegin(delivery, isHeld)
                ? attempt(new Attempt(delivery, payload, clock.millis(), System.nanoTime(), observation), endpoint)
                : settled(Settlement.released(delivery));
    }

    private CompletableFuture<Settlement> attempt(Attempt attempt, EndpointDirectory.Entry endpoint) {
        Subscriber subscriber = endpoint.subscriber();
        if (subscriber == null) {
            return dead(attempt.delivery(), DeadReason.ENDPOINT_REMOVED, Settlement.ENDPOINT_REMOVED);
        }
        if (subscriber.paused() && !attempt.delivery().requested()) {
            return settled(Settlement.released(attempt.delivery()));
        }
        try {
            return attempt(attempt, endpoint, subscriber);
        } catch (RuntimeException e) {
            return settled(policy.failed(attempt, subscriber, e));
        }
    }

    private CompletableFuture<Settlement> attempt(
            Attempt attempt, EndpointDirectory.Entry endpoint, Subscriber subscriber) {
        ClaimedDelivery delivery = attempt.delivery();
        if (!Objects.equals(subscriber.audience(), delivery.audience())) {
            return dead(
                    delivery,
                    DeadReason.AUDIENCE_CHANGED,
                    "audience-changed: the endpoint belongs to another audience than at dispatch");
        }
        EndpointSigner signer;
        try {
            // Before DNS: the URL can be trusted only if secret and headers open with it.
            signer = signers.signer(delivery.endpointId(), subscriber);
        } catch (SealException e) {
            if (Sealer.isPlain(subscriber.secrets().current())) {
                throw e; // a sign of an incomplete migration, not of tampering
            }
            LOG.debug("Could not open the secret of endpoint {} with its URL and audience", delivery.endpointId(), e);
            return dead(
                    delivery,
                    DeadReason.INTEGRITY,
                    "integrity: the sealed secrets and headers of the endpoint do not belong to its id, URL and audience");
        }
        byte[] payload = attempt.payload().bytes();
        boolean isEnvelope = subscriber.payloadFormat() == PayloadFormat.ENVELOPE;
        Optional<String> problem = isEnvelope ? JsonValidator.problem(payload) : Optional.empty();
        if (problem.isPresent()) {
            return dead(
                    delivery,
                    DeadReason.PAYLOAD_NOT_JSON,
                    "payload-not-json: the payload format of the endpoint is envelope, but " + problem.get());
        }
        byte[] body = isEnvelope ? Envelope.of(delivery.eventType(), delivery.createdAt(), payload) : payload;
        long asked = System.nanoTime();
        return destinations
                .vet(subscriber.url(), options.requestTimeout())
                .thenApply(destination -> resolvedInTime(destination, attempt, asked))
                .thenCompose(destination -> endpoints.isCurrent(delivery.endpointId(), endpoint)
                        ? exchange(attempt, subscriber, signer, body, destination)
                        : CompletableFuture.supplyAsync(() -> endpoints.current(delivery), threads)
                                .thenCompose(now -> {
                                    Subscriber current = now.subscriber();
                                    return current != null && isSame(subscriber, current)
                                            ? exchange(attempt, current, signer, body, destination)
                                            : attempt(attempt, now);
                                }))
                .exceptionally(failure -> policy.failed(attempt, subscriber, failure));
    }

    private static boolean isSame(Subscriber before, Subscriber now) {
        return now.sendsLike(before) && now.paused() == before.paused();
    }

    private Payload payload(ClaimedDelivery delivery) {
        Payload payload = delivery.payload();
        return payload != null ? payload : payloads.apply(delivery.eventId());
    }

    private boolean mayBegin(ClaimedDelivery delivery, Predicate<Claim> isHeld) {
        return isInTime(delivery.claim()) && isHeld.test(delivery.claim());
    }

    /** Returns whether there is time to send the request and to store its outcome before others take the claim over. */
    private boolean isInTime(Claim claim) {
        long latest = claim.claimedAt()
                + options.claimReclaimAfter()
                        .minus(options.requestTimeout())
                        .minus(options.settleMargin())
                        .toMillis();
        return clock.millis() <= latest;
    }

    /** A name server that is always late must not postpone an attempt for ever. */
    private VettedDestination resolvedInTime(VettedDestination destination, Attempt attempt, long asked) {
        long now = System.nanoTime();
        long timeout = options.requestTimeout().toNanos();
        boolean isSlow = now - asked > timeout / 2;
        boolean isHardlyTimeLeft = now - attempt.startedNanos() > timeout - timeout / 10;
        if (isSlow && isHardlyTimeLeft) {
            throw new WebhookTransportException(
                    FailureReason.DNS_FAILED, null, null, "The host was not resolved in time", null);
        }
        return destination;
    }

    private CompletableFuture<Settlement> exchange(
            Attempt attempt, Subscriber subscriber, EndpointSigner signer, byte[] body, VettedDestination destination) {
        Duration left = options.requestTimeout().minusNanos(System.nanoTime() - attempt.startedNanos());
        if (left.toMillis() < 1) {
            // A slow name server has failed before: this node was too busy, or waited for the database.
            throw new WebhookTransportException(Failure.OVERLOADED, "This node had no time left to send the request");
        }
        ClaimedDelivery delivery = attempt.delivery();
        if (!rates.use(delivery, subscriber)) {
            return settled(Settlement.released(delivery));
        }
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("User-Agent", USER_AGENT);
        headers.put("X-Webhook-Delivery-Id", delivery.deliveryId());
        headers.put("X-Webhook-Event-Id", delivery.eventId());
        headers.put("X-Webhook-Event-Type", delivery.eventType());
        headers.put("X-Webhook-Attempt", Integer.toString(delivery.attempt()));
        String id = delivery.deliveryId() + "-" + idSuffixes.next(ID_SUFFIX_BYTES);
        headers.putAll(signer.sign(body, delivery.deliveryId(), id));
        AttemptObservation.Request observation = attempt.observation().request(headers);
        Attempt sent = attempt.with(
                HeaderText.toText(withOthers(headers, signer.maskedHeaders())),
                signer.registeredHeaders().values());
        Map<String, String> all = withOthers(headers, signer.registeredHeaders());
        WebhookRequest request = new WebhookRequest(destination, all, body, left);
        WebhookTransport transport = givenTransport == null ? ownTransport : givenTransport;
        return observation
                .run(() -> send(transport, request))
                .thenApply(response -> policy.answered(sent, subscriber, response))
                .exceptionally(failure -> policy.failed(sent, subscriber, failure));
    }

    private static CompletableFuture<WebhookResponse> send(WebhookTransport transport, WebhookRequest request) {
        try {
            return transport.send(request);
        } catch (OutOfMemoryError e) { // thrown by the JDK if the system cannot create a thread
            throw new WebhookTransportException(Failure.OVERLOADED, "This node has no thread to send the request", e);
        }
    }

    /** The endpoint may have been registered by a node with another signature header: no header may replace the signature. */
    private static Map<String, String> withOthers(Map<String, String> own, Map<String, String> registered) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(own);
        registered.forEach(all::putIfAbsent);
        return all;
    }

    private CompletableFuture<Settlement> dead(ClaimedDelivery delivery, DeadReason reason, String error) {
        return settled(Settlement.deadUnattempted(
                delivery, clock.millis(), reason, ResponseRecorder.storable(error, MAX_TEXT)));
    }

    private static CompletableFuture<Settlement> settled(Settlement settlement) {
        return CompletableFuture.completedFuture(settlement);
    }

    /** Read from a file that the build writes: the manifest is lost if an application is packed into a single jar. */
    private static String version() {
        try (InputStream in = AttemptRunner.class.getResourceAsStream("version.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
