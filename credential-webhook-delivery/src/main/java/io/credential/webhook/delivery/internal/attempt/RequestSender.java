package io.credential.webhook.delivery.internal.attempt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.secret.internal.RandomHex;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.RequestHeaders;
import io.credential.webhook.delivery.internal.endpoint.EndpointSigner;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.HeaderText;
import io.credential.webhook.delivery.internal.queue.Payload;
import io.credential.webhook.http.VettedDestination;
import io.credential.webhook.http.WebhookRequest;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.http.internal.HttpWebhookTransport;

/** Signs and sends the requests of attempts. Thread-safe. */
public final class RequestSender {

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(5);
    private static final String DEFAULT_USER_AGENT = "credential/" + version();
    private static final int ID_SUFFIX_BYTES = 16;

    private final RequestHeaders names;
    private final String userAgent;
    private final HttpWebhookTransport ownTransport;
    private final @Nullable BoundedTransport givenTransport;
    private final ObservationRegistry observations;
    private final RandomHex idSuffixes;

    /** @param transport the application's transport; null to create one */
    public RequestSender(
            DispatcherOptions options,
            @Nullable WebhookTransport transport,
            ObservationRegistry observations,
            SecureRandom random) {
        this.names = options.requestHeaders();
        this.userAgent = names.userAgent().isEmpty() ? DEFAULT_USER_AGENT : names.userAgent();
        this.ownTransport = ownTransport(options);
        this.givenTransport = transport == null ? null : new BoundedTransport(transport);
        this.observations = observations;
        this.idSuffixes = new RandomHex(random);
    }

    /** Has neither threads nor sockets before its first request. */
    private static HttpWebhookTransport ownTransport(DispatcherOptions options) {
        Duration timeout = options.requestTimeout();
        return HttpWebhookTransport.builder()
                .connectTimeout(timeout.compareTo(LONGEST_CONNECT) < 0 ? timeout : LONGEST_CONNECT)
                .maxConcurrent(options.maxInFlight())
                .build();
    }

    /** Allows requests again after {@link #endExchanges}. */
    public void open() {
        ownTransport.open();
        if (givenTransport != null) {
            givenTransport.open();
        }
    }

    /** Ends the exchanges in progress. */
    public void endExchanges() {
        ownTransport.close(Duration.ZERO);
        if (givenTransport != null) {
            givenTransport.close();
        }
    }

    /** Starts the observation of an attempt. */
    public AttemptObservation observe(ClaimedDelivery delivery) {
        return new AttemptObservation(observations, delivery);
    }

    /**
     * A request that was signed and sent.
     *
     * @param shownHeaders its headers as they are stored, without secrets
     * @param secrets the values of the headers that the endpoint was registered with
     */
    public record Sent(String shownHeaders, Collection<String> secrets, CompletableFuture<WebhookResponse> response) {}

    /** Signs and sends a request, and waits for the response no longer than this. */
    public Sent send(
            ClaimedDelivery delivery,
            EndpointSigner signer,
            Payload body,
            VettedDestination destination,
            Duration longest,
            AttemptObservation attempt) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("User-Agent", userAgent);
        headers.put(names.deliveryId(), delivery.deliveryId());
        headers.put(names.eventId(), delivery.eventId());
        headers.put(names.eventType(), delivery.eventType());
        headers.put(names.attempt(), Integer.toString(delivery.attempt()));
        headers.remove(""); // the name of those that are left out
        String id = delivery.deliveryId() + "-" + idSuffixes.next(ID_SUFFIX_BYTES);
        headers.putAll(signer.sign(body.bytes(), delivery.deliveryId(), id));
        AttemptObservation.Request observation = attempt.request(headers);
        Map<String, String> registered = signer.registeredHeaders();
        Map<String, String> all = withOthers(headers, registered);
        return new Sent(
                HeaderText.toText(withOthers(headers, signer.maskedHeaders())),
                registered.values(),
                observation.run(() -> transmit(new WebhookRequest(destination, all, body.bytes(), longest))));
    }

    private CompletableFuture<WebhookResponse> transmit(WebhookRequest request) {
        WebhookTransport transport = givenTransport == null ? ownTransport : givenTransport;
        try {
            return transport.send(request);
        } catch (OutOfMemoryError e) { // thrown by the JDK if the system cannot create a thread
            throw new WebhookTransportException(Failure.OVERLOADED, "This node has no thread to send the request", e);
        }
    }

    /**
     * The endpoint may have been registered by a node with other names of headers. No header may replace the signature, which
     * is the last of the own ones.
     */
    private static Map<String, String> withOthers(Map<String, String> own, Map<String, String> registered) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(own);
        registered.forEach(all::putIfAbsent);
        return all;
    }

    /** Read from a file that the build writes: the manifest is lost if an application is packed into a single jar. */
    private static String version() {
        try (InputStream in = RequestSender.class.getResourceAsStream("version.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
