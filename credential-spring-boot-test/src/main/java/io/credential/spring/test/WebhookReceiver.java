package io.credential.spring.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.credential.webhook.WebhookException;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.Endpoint;
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

    /** How long a request may still take to arrive and to be answered while the receiver is closed. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final String KID = "v1";
    private static final String HOST = "127.0.0.1";
    private static final byte[] ADDRESS = {127, 0, 0, 1};
    private static final int BACKLOG = 512;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "credential-webhook-receiver");
        thread.setDaemon(true);
        return thread;
    });
    private final CountDownLatch closing = new CountDownLatch(1);
    private final @Nullable String secret;
    private final WebhookVerifier verifier;
    private final List<ReceivedWebhook> received = new ArrayList<>();
    private final List<Refusal> refused = new ArrayList<>();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private Answer lastAnswer = Answer.status(OK);

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
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(ADDRESS), 0), BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::receive);
        server.start();
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
        return "http://" + HOST + ":" + port() + path;
    }

    private int port() {
        return server.getAddress().getPort();
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
    public synchronized List<ReceivedWebhook> received() {
        return List.copyOf(received);
    }

    /** Returns the webhooks of one type of events, in the order of their arrival. */
    public synchronized List<ReceivedWebhook> received(String eventType) {
        return received.stream().filter(ofType(eventType)).toList();
    }

    /** Removes all recorded webhooks and refusals. */
    public synchronized void clear() {
        received.clear();
        refused.clear();
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
        return await(1, ofType(eventType), refusal -> refusal.mayBe(eventType), "of the type " + eventType, within)
                .get(0);
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
        return await(count, webhook -> true, refusal -> true, "of any type", within);
    }

    /**
     * Asserts that no webhook of this type of events was received or refused, and that none is on its way: the
     * dispatcher has no open delivery of this type to this receiver. Waits for those in flight. Does not depend on the
     * speed of the machine. Call it when the events are stored: when the method that sends them has returned, and the
     * transaction has committed.
     */
    public void assertNone(WebhookDispatcher dispatcher, String eventType) {
        long start = System.nanoTime();
        // The dispatcher first: once an attempt is settled, its request has been recorded.
        for (List<Delivery> open = openDeliveries(dispatcher, eventType);
                !open.isEmpty();
                open = openDeliveries(dispatcher, eventType)) {
            requireNone(eventType);
            if (System.nanoTime() - start > PATIENCE.toNanos()
                    || open.stream().anyMatch(delivery -> delivery.status() == DeliveryStatus.PENDING)) {
                throw new AssertionError("Deliveries of the type " + eventType + " will be attempted: " + open);
            }
            pause();
        }
        requireNone(eventType);
    }

    /** Returns what may still be received. Reads each delivery once: in two reads, it could be missed while it changes. */
    private List<Delivery> openDeliveries(WebhookDispatcher dispatcher, String eventType) {
        // By the port: the same receiver has several names, such as localhost.
        Set<String> elsewhere = dispatcher.listEndpoints().stream()
                .filter(endpoint -> URI.create(endpoint.url()).getPort() != port())
                .map(Endpoint::endpointId)
                .collect(Collectors.toSet());
        List<Delivery> open = new ArrayList<>();
        DeliveryQuery query = DeliveryQuery.all().withEventType(eventType).withLimit(DeliveryQuery.MAX_LIMIT);
        String cursor;
        do {
            DeliveryPage page = dispatcher.deliveries().search(query);
            page.deliveries().stream()
                    .filter(delivery -> !elsewhere.contains(delivery.endpointId()))
                    .filter(delivery -> delivery.status() == DeliveryStatus.PENDING
                            || delivery.status() == DeliveryStatus.IN_FLIGHT)
                    .forEach(open::add);
            cursor = page.nextCursor();
            if (cursor != null) {
                query = query.after(cursor);
            }
        } while (cursor != null);
        return open;
    }

    private synchronized void requireNone(String eventType) {
        if (!received(eventType).isEmpty()) {
            throw new AssertionError("Webhooks of the type " + eventType + " were received: " + received(eventType));
        }
        if (refused.stream().anyMatch(refusal -> refusal.mayBe(eventType))) {
            throw new AssertionError("Webhooks were received, but do not verify: " + refused);
        }
    }

    private synchronized List<ReceivedWebhook> await(
            int count, Predicate<ReceivedWebhook> wanted, Predicate<Refusal> fatal, String which, Duration within) {
        long start = System.nanoTime();
        List<ReceivedWebhook> found = received.stream().filter(wanted).toList();
        while (found.size() < count) {
            if (closing.getCount() == 0) {
                throw closed();
            }
            long left = within.toNanos() - (System.nanoTime() - start);
            if (left <= 0 || refused.stream().anyMatch(fatal)) {
                throw new AssertionError("Expected " + count + " webhooks " + which + " within " + within + ", but "
                        + found.size() + " were received. Received: " + received + "; refused: " + refused);
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while waiting for webhooks", e);
            }
            found = received.stream().filter(wanted).toList();
        }
        return found;
    }

    private static Predicate<ReceivedWebhook> ofType(String eventType) {
        return webhook -> eventType.equals(webhook.eventType());
    }

    private static AssertionError closed() {
        return new AssertionError("The receiver was closed");
    }

    private void pause() {
        try {
            if (closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw closed();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for deliveries", e);
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Answer answer = record(exchange, body);
            if (awaitClosing(answer.delay())) {
                return; // without an answer
            }
            Duration retryAfter = answer.retryAfter();
            if (retryAfter != null) {
                exchange.getResponseHeaders().set("Retry-After", Long.toString(retryAfter.toSeconds()));
            }
            exchange.sendResponseHeaders(answer.status(), -1);
        }
    }

    /** Records a request before it is answered: what the dispatcher has settled is recorded. */
    private Answer record(HttpExchange exchange, byte[] body) {
        String path = exchange.getRequestURI().getPath();
        Map<String, List<String>> headers = Map.copyOf(exchange.getRequestHeaders());
        VerifiedWebhook verified;
        try {
            verified = verifier.verify(body, headers);
        } catch (WebhookException e) {
            String eventType = exchange.getRequestHeaders().getFirst(ReceivedWebhook.EVENT_TYPE);
            synchronized (this) {
                refused.add(new Refusal(path, eventType, e.code()));
                notifyAll();
            }
            return Answer.status(UNAUTHORIZED);
        }
        synchronized (this) {
            received.add(new ReceivedWebhook(path, headers, new String(body, UTF_8), verified));
            notifyAll();
            return Objects.requireNonNullElse(answers.poll(), lastAnswer);
        }
    }

    private boolean awaitClosing(Duration limit) {
        try {
            return !limit.isZero() && closing.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /**
     * Stops the receiver. Requests that were recorded are answered, except for those that wait for a delayed answer.
     * Assertions that wait fail.
     */
    @Override
    public void close() {
        closing.countDown();
        synchronized (this) {
            notifyAll();
        }
        threads.shutdown();
        try {
            threads.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
    }

    /** A request that does not verify. The type of its event is what it claims; null if it claims none. */
    private record Refusal(String path, @Nullable String eventType, String code) {

        boolean mayBe(String wanted) {
            return eventType == null || eventType.equals(wanted);
        }

        @Override
        public String toString() {
            return path + " (" + code + ")";
        }
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

        /** Starts the receiver on a free port. */
        public WebhookReceiver start() {
            return new WebhookReceiver(this);
        }
    }
}
