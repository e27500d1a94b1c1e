package io.credential.webhook.signature;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.testing.Patience;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.DestinationVetter;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.HttpWebhookTransport;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.http.WebhookTransportException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Sending to a real receiver on loopback, whose signatures the verifier checks. */
class WebhookSendTests {

    private static final String DELIVERY_ID = "X-Webhook-Delivery-Id";

    private final WebhookFixture fixture = new WebhookFixture();
    private final List<AuditEvent> events = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final HttpWebhookTransport transport =
            HttpWebhookTransport.builder().connectTimeout(Patience.LIMIT).build();
    private List<Integer> statuses = List.of(200);
    private Map<String, String> answerHeaders = Map.of();
    private HttpServer receiver;

    @BeforeEach
    void start() throws Exception {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        receiver.createContext("/", exchange -> {
            received.add(new Received(
                    exchange.getRequestHeaders(),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            answerHeaders.forEach(exchange.getResponseHeaders()::add);
            int status = statuses.get(Math.min(answered.getAndIncrement(), statuses.size() - 1));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
        transport.close(Duration.ZERO);
    }

    @Test
    void sendWhenAcceptedThenSignedAndReported() {
        SendResult result = send(signer(), 200);

        assertThat(result.status()).isEqualTo(200);
        assertThat(result.attempts()).isEqualTo(1);
        assertThat(result.duration()).isPositive();
        Received request = received.get(0);
        assertThat(request.body()).isEqualTo(new String(WebhookFixture.BODY, StandardCharsets.UTF_8));
        assertThat(request.headers().get("Content-Type")).containsExactly("application/json");
        fixture.verifier().build().verify(WebhookFixture.BODY, request.headers());
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("webhook.send");
            assertThat(event.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(event.resourceId()).isEqualTo(request.headers().getFirst(DELIVERY_ID));
            assertThat(event.attributes()).containsEntry("signer", "default").containsEntry("attempts", 1);
        });
    }

    @Test
    void sendWhenRetriedThenNewIdAndSameDeliveryId() {
        SendResult result = send(signer(), 500, 429, 204);

        assertThat(result.status()).isEqualTo(204);
        assertThat(result.attempts()).isEqualTo(3);
        Set<String> ids = new HashSet<>();
        Set<String> deliveries = new HashSet<>();
        for (Received request : received) {
            ids.add(fixture.verifier()
                    .build()
                    .verify(WebhookFixture.BODY, request.headers())
                    .id());
            deliveries.add(request.headers().getFirst(DELIVERY_ID));
        }
        assertThat(ids).hasSize(3);
        assertThat(deliveries).hasSize(1);
    }

    @Test
    void sendWhenCalledAgainThenAnotherDeliveryId() {
        WebhookSigner signer = signer();
        send(signer, 200);
        send(signer, 200);

        assertThat(received)
                .extracting(request -> request.headers().getFirst(DELIVERY_ID))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 400, 401, 404, 410, 422})
    void sendWhenAnswerIsFinalThenNotRetried(int status) {
        answerHeaders = Map.of("Location", "/elsewhere");

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> send(signer(), status, 200))
                .withMessageContaining(Integer.toString(status))
                .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/send-failed"));
        assertThat(received).hasSize(1);
    }

    @Test
    void sendWhenAttemptsAreUsedUpThenLastFailureIsThrown() {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> send(signer(), 503))
                .withMessageContaining("attempt 3 of 3")
                .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/send-failed"));

        assertThat(received).hasSize(3);
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.outcome()).isEqualTo(Outcome.FAILURE);
            assertThat(event.reason()).isEqualTo("send-failed");
            assertThat(event.attributes()).containsEntry("attempts", 3);
        });
    }

    @Test
    void sendWhenRetriedThenPausesGrow() {
        SendRetry retry = new SendRetry(6, Duration.ofMillis(100), Duration.ofMillis(500));
        WebhookSigner signer = fixture.signer()
                .http(loopback())
                .retry(retry)
                .pause(pauses::add)
                .build();

        assertThatExceptionOfType(WebhookException.class).isThrownBy(() -> send(signer, 500));

        List<Integer> full = List.of(100, 200, 400, 500, 500);
        assertThat(pauses).hasSize(5);
        for (int i = 0; i < full.size(); i++) {
            assertThat(pauses.get(i).toMillis()).isBetween(full.get(i) / 2L, (long) full.get(i));
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 3000", "3600, 10000"})
    void sendWhenToldRetryAfterThenPausesUpToTheMaximum(String header, long millis) {
        answerHeaders = Map.of("Retry-After", header);

        send(signer(), 503, 200);

        assertThat(pauses).containsExactly(Duration.ofMillis(millis));
    }

    @Test
    void sendWhenReceiverIsUnreachableThenTriedAgain() {
        int port = receiver.getAddress().getPort();
        receiver.stop(0);

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> signer().send(URI.create("http://127.0.0.1:" + port + "/"), WebhookFixture.BODY))
                .withCauseInstanceOf(WebhookTransportException.class)
                .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/send-failed"));
        assertThat(pauses).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1/", "http://0x7f.1/", "http://[::1]/", "http://localhost/", "ftp://a.example/"})
    void sendWhenDestinationIsUnsafeThenRefusedUnsigned(String url) {
        try (WebhookSigner signer = fixture.signer()
                .audit(events::add)
                .pause(pauses::add)
                .idGenerator(() -> {
                    throw new AssertionError("signed");
                })
                .build()) {
            assertThatExceptionOfType(WebhookException.class)
                    .isThrownBy(() -> signer.send(URI.create(url), WebhookFixture.BODY))
                    .withCauseInstanceOf(UnsafeDestinationException.class)
                    .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/unsafe-destination"));
        }
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("webhook.send");
            assertThat(event.reason()).isEqualTo("unsafe-destination");
        });
    }

    /** Time and attempts would tell a name that is unknown from one that leads inside. */
    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.1"})
    void sendWhenDnsRefusesThenTriedAgain(String answer) {
        AtomicInteger asked = new AtomicInteger();
        try (DestinationVetter vetter =
                new DestinationVetter(DestinationPolicy.builder().build(), host -> {
                    asked.incrementAndGet();
                    return answer.isEmpty() ? List.of() : List.of(InetAddress.getByName(answer));
                })) {
            WebhookSigner signer = fixture.signer()
                    .http(new SendHttp(vetter, transport, Patience.LIMIT))
                    .pause(pauses::add)
                    .build();

            Codes.assertRefused(
                    "webhook/unsafe-destination",
                    () -> signer.send(URI.create("http://hooks.example.com/"), WebhookFixture.BODY));
        }
        assertThat(asked.get()).isEqualTo(3);
    }

    @Test
    void sendWhenBodyIsMissingThenRefused() {
        Codes.assertRefused("webhook/bad-body", () -> signer().send(url(), null));
        assertThat(received).isEmpty();
    }

    @Test
    void sendWhenInterruptedThenEndsAndInterruptStays() {
        WebhookSigner signer = fixture.signer()
                .http(new SendHttp(
                        new DestinationVetter(internal(), HostResolver.system()),
                        request -> new CompletableFuture<>(),
                        Patience.LIMIT))
                .build();
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> signer.send(url(), WebhookFixture.BODY))
                .withMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void sendWhenClosedThenFailsButSignWorks() {
        WebhookSigner signer = fixture.signer().build();
        signer.close();

        assertThat(signer.sign(WebhookFixture.BODY).kid()).isEqualTo("v1");
        assertThatIllegalStateException().isThrownBy(() -> signer.send(url(), WebhookFixture.BODY));
    }

    @ParameterizedTest
    @CsvSource({"0, PT1S, PT1S", "21, PT1S, PT1S", "3, PT0S, PT1S", "3, PT2S, PT1S", "3, PT1S, PT11M"})
    void retryWhenOutOfRangeThenRefused(int attempts, Duration initial, Duration max) {
        Codes.assertRefused("webhook/bad-opt", () -> new SendRetry(attempts, initial, max));
    }

    private WebhookSigner signer() {
        return fixture.signer()
                .http(loopback())
                .pause(pauses::add)
                .audit(events::add)
                .build();
    }

    private SendResult send(WebhookSigner signer, Integer... answers) {
        statuses = List.of(answers);
        return signer.send(url(), WebhookFixture.BODY);
    }

    private SendHttp loopback() {
        return new SendHttp(new DestinationVetter(internal(), HostResolver.system()), transport, Patience.LIMIT);
    }

    private static DestinationPolicy internal() {
        return DestinationPolicy.builder().allowInternalDestinations(true).build();
    }

    private URI url() {
        return URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook");
    }

    private record Received(Headers headers, String body) {}
}
