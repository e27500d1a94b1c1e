package io.credential.webhook.http;

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

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
import io.credential.webhook.http.internal.HttpWebhookTransport;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Sending to a real receiver on loopback, whose signatures the verifier checks. */
class WebhookSenderTests {

    private static final String DELIVERY_ID = "X-Webhook-Delivery-Id";

    private static final String KEY = "correct horse battery staple";
    private static final byte[] BODY = "{\"item\":\"book\"}".getBytes(StandardCharsets.UTF_8);

    private final WebhookSigner signer =
            WebhookSigner.builder().algorithm("hmac-sha3-512").key("v1", KEY).build();
    private final WebhookVerifier verifier =
            WebhookVerifier.builder().algorithm("hmac-sha3-512").key("v1", KEY).build();
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
        SendResult result = send(sender(), 200);

        assertThat(result.status()).isEqualTo(200);
        assertThat(result.attempts()).isEqualTo(1);
        assertThat(result.duration()).isPositive();
        Received request = received.get(0);
        assertThat(request.body()).isEqualTo(new String(BODY, StandardCharsets.UTF_8));
        assertThat(request.headers().get("Content-Type")).containsExactly("application/json");
        verifier.verify(BODY, request.headers());
        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("webhook.send");
            assertThat(event.outcome()).isEqualTo(Outcome.SUCCESS);
            assertThat(event.resourceId()).isEqualTo(request.headers().getFirst(DELIVERY_ID));
            assertThat(event.attributes()).containsEntry("signer", "default").containsEntry("attempts", 1);
        });
    }

    @Test
    void sendWhenRetriedThenNewIdAndSameDeliveryId() {
        SendResult result = send(sender(), 500, 429, 204);

        assertThat(result.status()).isEqualTo(204);
        assertThat(result.attempts()).isEqualTo(3);
        Set<String> ids = new HashSet<>();
        Set<String> deliveries = new HashSet<>();
        for (Received request : received) {
            ids.add(verifier.verify(BODY, request.headers()).id());
            deliveries.add(request.headers().getFirst(DELIVERY_ID));
        }
        assertThat(ids).hasSize(3);
        assertThat(deliveries).hasSize(1);
    }

    @Test
    void sendWhenCalledAgainThenAnotherDeliveryId() {
        WebhookSender sender = sender();
        send(sender, 200);
        send(sender, 200);

        assertThat(received)
                .extracting(request -> request.headers().getFirst(DELIVERY_ID))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 400, 401, 404, 410, 422})
    void sendWhenAnswerIsFinalThenNotRetried(int status) {
        answerHeaders = Map.of("Location", "/elsewhere");

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> send(sender(), status, 200))
                .withMessageContaining(Integer.toString(status))
                .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/send-failed"));
        assertThat(received).hasSize(1);
    }

    @Test
    void sendWhenAttemptsAreUsedUpThenLastFailureIsThrown() {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> send(sender(), 503))
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
        WebhookSender sender = WebhookSender.builder()
                .http(loopback())
                .retry(retry)
                .pause(pauses::add)
                .build();

        assertThatExceptionOfType(WebhookException.class).isThrownBy(() -> send(sender, 500));

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

        send(sender(), 503, 200);

        assertThat(pauses).containsExactly(Duration.ofMillis(millis));
    }

    @Test
    void sendWhenReceiverIsUnreachableThenTriedAgain() {
        int port = receiver.getAddress().getPort();
        receiver.stop(0);

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> sender().send(signer, URI.create("http://127.0.0.1:" + port + "/"), BODY))
                .withCauseInstanceOf(WebhookTransportException.class)
                .satisfies(e -> assertThat(e.code()).isEqualTo("webhook/send-failed"));
        assertThat(pauses).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1/", "http://0x7f.1/", "http://[::1]/", "http://localhost/", "ftp://a.example/"})
    void sendWhenDestinationIsUnsafeThenRefusedUnsigned(String url) {
        WebhookSigner unused = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", KEY)
                .idGenerator(() -> {
                    throw new AssertionError("signed");
                })
                .build();
        try (WebhookSender sender =
                WebhookSender.builder().audit(events::add).pause(pauses::add).build()) {
            assertThatExceptionOfType(WebhookException.class)
                    .isThrownBy(() -> sender.send(unused, URI.create(url), BODY))
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
            WebhookSender sender = WebhookSender.builder()
                    .http(new SendHttp(vetter, transport, Patience.LIMIT))
                    .pause(pauses::add)
                    .build();

            assertRefused(
                    "webhook/unsafe-destination",
                    () -> sender.send(signer, URI.create("http://hooks.example.com/"), BODY));
        }
        assertThat(asked.get()).isEqualTo(3);
    }

    @Test
    void sendWhenBodyIsMissingThenRefused() {
        assertRefused("webhook/bad-body", () -> sender().send(signer, url(), null));
        assertThat(received).isEmpty();
    }

    @Test
    void sendWhenInterruptedThenEndsAndInterruptStays() {
        WebhookSender sender = WebhookSender.builder()
                .http(new SendHttp(
                        new DestinationVetter(internal(), HostResolver.system()),
                        request -> new CompletableFuture<>(),
                        Patience.LIMIT))
                .build();
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> sender.send(signer, url(), BODY))
                .withMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void sendWhenClosedThenFails() {
        WebhookSender sender = WebhookSender.builder().build();
        sender.close();

        assertThatIllegalStateException().isThrownBy(() -> sender.send(signer, url(), BODY));
    }

    @Test
    void sendWhenSignerHasOptionsThenTheyApplyToItAlone() {
        WebhookSigner partner = WebhookSigner.builder()
                .name("partner")
                .algorithm("hmac-sha3-512")
                .key("v1", KEY)
                .build();
        SendRetry once = new SendRetry(1, Duration.ofMillis(1), Duration.ofMillis(1));
        WebhookSender sender = WebhookSender.builder()
                .http(loopback())
                .pause(pauses::add)
                .audit(events::add)
                .signer("partner", new SendOptions(loopback(), once, true, false))
                .build();
        statuses = List.of(500);

        assertRefused("webhook/send-failed", () -> sender.send(partner, url(), BODY));
        assertThat(received).hasSize(1);
        assertThat(events).isEmpty();
        assertRefused("webhook/send-failed", () -> sender.send(signer, url(), BODY));
        assertThat(received).hasSize(4);
        assertThat(events).hasSize(1);
    }

    @Test
    void sendWhenRetriedThenSignerAuditsNothing() {
        List<AuditEvent> signed = new ArrayList<>();
        WebhookSigner audited = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", KEY)
                .audit(signed::add)
                .build();
        statuses = List.of(500, 200);

        sender().send(audited, url(), BODY);

        assertThat(signed).isEmpty();
        assertThat(events).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"0, PT1S, PT1S", "21, PT1S, PT1S", "3, PT0S, PT1S", "3, PT2S, PT1S", "3, PT1S, PT11M"})
    void retryWhenOutOfRangeThenRefused(int attempts, Duration initial, Duration max) {
        assertRefused("webhook/bad-opt", () -> new SendRetry(attempts, initial, max));
    }

    private WebhookSender sender() {
        return WebhookSender.builder()
                .http(loopback())
                .pause(pauses::add)
                .audit(events::add)
                .build();
    }

    private SendResult send(WebhookSender sender, Integer... answers) {
        statuses = List.of(answers);
        return sender.send(signer, url(), BODY);
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

    private static void assertRefused(String code, ThrowingCallable call) {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    private record Received(Headers headers, String body) {}
}
