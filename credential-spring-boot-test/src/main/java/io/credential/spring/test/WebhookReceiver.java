package io.credential.spring.test;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import com.sun.net.httpserver.Headers;

import io.credential.webhook.WebhookException;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookVerifier;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Receives webhooks on the loopback address, as an endpoint of the dispatcher or of a signer. It verifies each request,
 * records it and answers as it is told. A request that does not verify gets 401 and fails all assertions that it could
 * concern, until {@link #clear()}. Assertions throw {@link AssertionError}. Thread-safe.
 *
 * <p>The dispatcher of an application sends to this address only if {@code
 * credential.webhook.dispatcher.allowed-cidrs} allows it, as {@link
 * io.credential.spring.test.autoconfigure.AutoConfigureInMemoryCredential} does.
 *
 * @since 0.1.0
 */
public final class WebhookReceiver implements AutoCloseable {

    /** How long assertions wait: longer than any delivery takes, however slow the machine is. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final String KID = "v1";
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    private final @Nullable String secret;
    private final WebhookVerifier verifier;
    private final String eventTypeHeader;
    private final ReceivedRequests requests = new ReceivedRequests();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private Answer lastAnswer = Answer.status(OK);
    private final ReceiverServer server;

    private WebhookReceiver(Builder builder) {
        if (builder.verifier != null) {
            this.secret = null;
            this.verifier = builder.verifier;
        } else {
            this.secret = builder.secret;
            this.verifier = WebhookVerifier.builder()
                    .algorithm("hmac-sha3-512")
                    .key(KID, builder.secret)
                    .clock(builder.clock)
                    .build();
        }
        this.eventTypeHeader = builder.eventTypeHeader;
        this.server = ReceiverServer.start(this::receive);
    }

    /** Starts a receiver with a random secret. */
    public static WebhookReceiver start() {
        return builder().start();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the URL of the receiver, which accepts every path. */
    public String url() {
        return url("/");
    }

    /**
     * Returns the URL of a path.
     *
     * @param path begins with a slash
     */
    public String url(String path) {
        return server.url(path);
    }

    /**
     * Returns the secret that requests are verified with, under the kid {@code v1}.
     *
     * @throws IllegalStateException if the receiver was built with a verifier
     */
    public String secret() {
        if (secret == null) {
            throw new IllegalStateException("This receiver has no secret: it was built with a verifier. Register its"
                    + " url(..) with the key that the verifier expects.");
        }
        return secret;
    }

    /**
     * Returns the registration of this receiver as an endpoint, for {@link WebhookDispatcher#registerEndpoint}.
     *
     * @throws IllegalStateException if the receiver was built with a verifier
     */
    public EndpointRegistration endpoint(String endpointId, String... eventTypes) {
        return EndpointRegistration.of(endpointId, url("/" + endpointId), secret(), eventTypes);
    }

    /**
     * Answers the next verified requests in this order, and all that follow like the last one. Replaces earlier
     * answers. By default, and with no argument, every verified request gets 200.
     */
    public synchronized WebhookReceiver answer(Answer... next) {
        answers.clear();
        answers.addAll(Arrays.asList(next));
        lastAnswer = next.length == 0 ? Answer.status(OK) : next[next.length - 1];
        return this;
    }

    /** Returns the webhooks that were received, in the order of their arrival. */
    public List<ReceivedWebhook> received() {
        return requests.received();
    }

    /** Returns the webhooks of one type of events, in the order of their arrival. */
    public List<ReceivedWebhook> received(String eventType) {
        return requests.received(eventType);
    }

    /** Removes all recorded webhooks and refusals. */
    public void clear() {
        requests.clear();
    }

    /** Waits up to a minute for a webhook of this type of events, and returns the first. */
    public ReceivedWebhook awaitDelivery(String eventType) {
        return awaitDelivery(eventType, PATIENCE);
    }

    /**
     * Waits for a webhook of this type of events, and returns the first. Fails at once if one was refused.
     *
     * @param within how long to wait at most
     */
    public ReceivedWebhook awaitDelivery(String eventType, Duration within) {
        return requests.await(eventType, within);
    }

    /** Waits up to a minute for this number of webhooks, and returns all that were received. */
    public List<ReceivedWebhook> await(int count) {
        return await(count, PATIENCE);
    }

    /**
     * Waits for this number of webhooks, and returns all that were received. Fails at once if one was refused.
     *
     * @param within how long to wait at most
     */
    public List<ReceivedWebhook> await(int count, Duration within) {
        return requests.await(count, within);
    }

    /**
     * Asserts that no webhook of this type of events was received or refused, and that none is on its way: the
     * dispatcher has no open delivery of this type to this receiver. Waits for those in flight. Does not depend on the
     * speed of the machine. Call it when the events are stored: when the method that sends them has returned, and the
     * transaction has committed.
     */
    public void assertNone(WebhookDispatcher dispatcher, String eventType) {
        OpenDeliveries deliveries = new OpenDeliveries(dispatcher, server.port());
        long start = System.nanoTime();
        // The dispatcher first: once an attempt is settled, its request has been recorded.
        for (List<Delivery> open = deliveries.find(eventType); !open.isEmpty(); open = deliveries.find(eventType)) {
            requests.requireNone(eventType);
            if (System.nanoTime() - start > PATIENCE.toNanos()
                    || open.stream().anyMatch(delivery -> delivery.status() == DeliveryStatus.PENDING)) {
                throw new AssertionError("Deliveries of the type " + eventType + " will be attempted: " + open);
            }
            pause();
        }
        requests.requireNone(eventType);
    }

    private void pause() {
        try {
            if (server.awaitClosing(PAUSE)) {
                throw closed();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for deliveries", e);
        }
    }

    static AssertionError closed() {
        return new AssertionError("The receiver was closed");
    }

    /** Records a request before it is answered: what the dispatcher has settled is recorded. */
    private Answer receive(String path, Headers headers, byte[] body) {
        String eventType = headers.getFirst(eventTypeHeader);
        VerifiedWebhook verified;
        try {
            verified = verifier.verify(body, Map.copyOf(headers));
        } catch (WebhookException e) {
            requests.refuse(path, eventType, e.code());
            return Answer.status(UNAUTHORIZED);
        }
        return recordAndAnswer(new ReceivedWebhook(path, headers, new String(body, UTF_8), eventType, verified));
    }

    private synchronized Answer recordAndAnswer(ReceivedWebhook webhook) {
        requests.add(webhook);
        return Objects.requireNonNullElse(answers.poll(), lastAnswer);
    }

    /**
     * Stops the receiver. Requests that were recorded are answered, except for those that wait for a delayed answer.
     * Assertions that wait fail.
     */
    @Override
    public void close() {
        requests.close();
        server.close();
    }

    /**
     * An answer to a request.
     *
     * @param status the HTTP status
     * @param delay how long the answer is delayed
     * @param retryAfter the header {@code Retry-After}, in whole seconds; null for none
     */
    public record Answer(
            int status, Duration delay, @Nullable Duration retryAfter) {

        /** Returns an immediate answer. */
        public static Answer status(int status) {
            return new Answer(status, Duration.ZERO, null);
        }

        /** Returns a copy that is sent after a delay, such as one that is longer than the sender waits. */
        public Answer withDelay(Duration delay) {
            return new Answer(status, delay, retryAfter);
        }

        /** Returns a copy with the header {@code Retry-After}, in whole seconds. */
        public Answer withRetryAfter(Duration retryAfter) {
            return new Answer(status, delay, retryAfter);
        }
    }

    /** Collects the options. Not thread-safe. */
    public static final class Builder {

        private String secret;
        private InstantSource clock = InstantSource.system();
        private @Nullable WebhookVerifier verifier;
        private String eventTypeHeader = "X-Webhook-Event-Type";

        private Builder() {
            byte[] random = new byte[32];
            new SecureRandom().nextBytes(random);
            this.secret = HexFormat.of().formatHex(random);
        }

        /** Sets the secret of {@code hmac-sha3-512}. Default: a random one. */
        public Builder secret(String secret) {
            this.secret = secret;
            return this;
        }

        /** Sets the clock that the age of signatures is determined by. Default: the system clock. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Verifies requests differently, for example with the public key of {@code pqc-pem}. Replaces secret and clock:
         * the receiver then has no {@link WebhookReceiver#secret()}.
         */
        public Builder verifier(WebhookVerifier verifier) {
            this.verifier = verifier;
            return this;
        }

        /**
         * Sets the header with the type of the event, if {@code credential.webhook.dispatcher.headers.event-type} is
         * another. Default: {@code X-Webhook-Event-Type}.
         */
        public Builder eventTypeHeader(String name) {
            this.eventTypeHeader = name;
            return this;
        }

        /** Starts the receiver on a free port. */
        public WebhookReceiver start() {
            return new WebhookReceiver(this);
        }
    }
}
