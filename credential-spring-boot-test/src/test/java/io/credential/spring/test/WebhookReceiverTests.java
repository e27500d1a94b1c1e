package io.credential.spring.test;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.spring.test.WebhookReceiver.Answer;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class WebhookReceiverTests {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @AutoClose
    private final InMemoryWebhooks webhooks = InMemoryWebhooks.create();

    @AutoClose
    private final WebhookReceiver receiver = WebhookReceiver.start();

    private final WebhookDispatcher dispatcher = webhooks.dispatcher();

    private Delivery dispatch(String eventType) {
        return dispatcher.dispatch(eventType, "{}").deliveries().get(0);
    }

    private Delivery delivery(String deliveryId) {
        return dispatcher.deliveries().get(deliveryId).orElseThrow();
    }

    private static HttpResponse<Void> post(WebhookReceiver to, Map<String, String> headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(to.url("/hook"))).POST(BodyPublishers.ofByteArray(new byte[0]));
        headers.forEach(request::header);
        return HTTP.send(request.build(), BodyHandlers.discarding());
    }

    @Test
    void receiveThenIsRecordedInOrder() {
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*"));
        dispatch("order.created");
        dispatch("order.shipped");

        assertThat(receiver.await(2))
                .extracting(ReceivedWebhook::eventType)
                .containsExactly("order.created", "order.shipped");
        assertThat(receiver.received("order.shipped")).hasSize(1);
        assertThat(receiver.received().get(0).header("missing")).isNull();

        receiver.clear();
        assertThat(receiver.received()).isEmpty();
    }

    @Test
    void receiveWhenSecretIsWrongThen401AndNotRecorded() {
        dispatcher.registerEndpoint(EndpointRegistration.of("shop-7", receiver.url("/shop-7"), "a wrong secret", "*"));

        assertThat(dispatch("order.created").responseStatus()).isEqualTo(401);
        assertThat(receiver.received()).isEmpty();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> receiver.awaitDelivery("order.created"))
                .withMessageContaining("0 were received")
                .withMessageEndingWith("/shop-7 (webhook/bad-signature)]");
    }

    @Test
    void clearThenRefusalsAreForgotten() {
        dispatcher.registerEndpoint(EndpointRegistration.of("shop-7", receiver.url("/shop-7"), "a wrong secret", "*"));
        dispatch("order.created");

        receiver.clear();
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*"));
        dispatch("order.created");

        assertThat(receiver.await(1)).hasSize(1);
    }

    @Test
    void secretWhenVerifierIsGivenThenFails() {
        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", "a secret of the verifier")
                .build();
        try (WebhookReceiver other =
                WebhookReceiver.builder().verifier(verifier).start()) {
            assertThatIllegalStateException().isThrownBy(other::secret);
            assertThatIllegalStateException().isThrownBy(() -> other.endpoint("shop-7", "*"));
        }
    }

    @Test
    void receiveWhenVerifierIsGivenThenUsesIt() throws Exception {
        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key("2026", "a secret under another kid")
                .build();
        WebhookSigner signer = WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("2026", "a secret under another kid")
                .build();
        try (WebhookReceiver other =
                WebhookReceiver.builder().verifier(verifier).start()) {
            assertThat(post(other, signer.headers(new byte[0])).statusCode()).isEqualTo(200);
            assertThat(other.await(1)).singleElement().satisfies(webhook -> {
                assertThat(webhook.verified().kid()).isEqualTo("2026");
                assertThat(webhook.eventType()).isNull();
            });
        }
    }

    @Test
    void receiveWhenEventTypeHasAnotherHeaderThenFindsIt() throws Exception {
        try (WebhookReceiver other =
                WebhookReceiver.builder().eventTypeHeader("X-Topic").start()) {
            WebhookSigner signer = WebhookSigner.builder()
                    .algorithm("hmac-sha3-512")
                    .key("v1", other.secret())
                    .build();
            Map<String, String> headers = new HashMap<>(signer.headers(new byte[0]));
            headers.put("x-topic", "order.created");
            post(other, headers);

            assertThat(other.awaitDelivery("order.created").eventType()).isEqualTo("order.created");
        }
    }

    @Test
    void receiveWhenSecretIsGivenThenIsKey() throws Exception {
        try (WebhookReceiver other =
                WebhookReceiver.builder().secret("a known secret").start()) {
            WebhookSigner signer = WebhookSigner.builder()
                    .algorithm("hmac-sha3-512")
                    .key("v1", other.secret())
                    .build();
            assertThat(other.secret()).isEqualTo("a known secret");
            assertThat(post(other, signer.headers(new byte[0])).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void answerThenInOrderAndTheLastFromThenOn() {
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*"));
        receiver.answer(Answer.status(500), Answer.status(202));

        assertThat(List.of(dispatch("a"), dispatch("b"), dispatch("c")))
                .extracting(Delivery::responseStatus)
                .containsExactly(500, 202, 202);
        receiver.answer();
        assertThat(dispatch("d").responseStatus()).isEqualTo(200);
    }

    @Test
    void answerWhenItHasRetryAfterThenDispatcherWaits() {
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*"));
        receiver.answer(Answer.status(429).withRetryAfter(Duration.ofMinutes(10)));

        Delivery delivery = dispatch("order.created");

        assertThat(delivery.nextAttemptAt()).isAfter(delivery.createdAt().plus(Duration.ofMinutes(9)));
    }

    @Test
    void closeWhenAnswerIsDelayedThenEndsTheWait() {
        CountDownLatch answered = new CountDownLatch(1);
        WebhookReceiver slow = WebhookReceiver.start();
        slow.answer(Answer.status(200).withDelay(Duration.ofHours(1)));
        dispatcher.registerEndpoint(slow.endpoint("slow", "order.created"));
        Thread dispatching = new Thread(() -> {
            dispatcher.dispatch("order.created", "{}");
            answered.countDown();
        });
        dispatching.start();

        slow.awaitDelivery("order.created");
        slow.close();

        Patience.await(answered);
    }

    /** Otherwise the dispatcher would try again after the test. */
    @RepeatedTest(20)
    void closeWhenWebhookWasRecordedThenIsAnswered() {
        String deliveryId;
        try (WebhookReceiver closed = WebhookReceiver.start()) {
            dispatcher.registerEndpoint(closed.endpoint("shop-7", "*"));
            deliveryId = dispatcher
                    .enqueue("order.created", "{}")
                    .deliveries()
                    .get(0)
                    .deliveryId();
            closed.awaitDelivery("order.created");
        }

        Patience.until(() -> delivery(deliveryId).attempts() > 0);
        assertThat(delivery(deliveryId).status()).isEqualTo(DeliveryStatus.DELIVERED);
    }

    @Test
    void awaitWhenThereAreTooFewThenFails() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> receiver.await(1, Duration.ofMillis(1)))
                .withMessageContaining("Expected 1 webhooks")
                .withMessageContaining("have the audience of the event?");
    }

    @Test
    void awaitWhenClosedThenFails() {
        WebhookReceiver closed = WebhookReceiver.start();
        closed.close();

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> closed.await(1))
                .withMessageContaining("was closed");
    }

    @Test
    void closeWhenAwaitIsWaitingThenItFails() throws Exception {
        WebhookReceiver closed = WebhookReceiver.start();
        FutureTask<AssertionError> failure =
                new FutureTask<>(() -> catchThrowableOfType(AssertionError.class, () -> closed.await(1)));
        Thread waiting = new Thread(failure);
        waiting.start();
        Patience.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

        closed.close();

        assertThat(Patience.get(failure)).hasMessageContaining("was closed");
    }

    @Test
    void assertNoneWhenNobodySubscribesThenPasses() {
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "order.shipped"));
        dispatcher.enqueue("order.created", "{}");

        receiver.assertNone(dispatcher, "order.created");
    }

    @Test
    void assertNoneWhenAnotherReceiverSubscribesThenPasses() {
        try (WebhookReceiver other = WebhookReceiver.start()) {
            other.answer(Answer.status(503));
            dispatcher.registerEndpoint(other.endpoint("shop-8", "*").audience("customer-8"));
            dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*").audience("customer-7"));
            dispatcher.dispatch("order.created", "{}", DispatchOptions.none().withAudience("customer-8"));

            receiver.assertNone(dispatcher, "order.created");
        }
    }

    @Test
    void assertNoneWhenReceivedThenFails() {
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*"));
        dispatch("order.created");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> receiver.assertNone(dispatcher, "order.created"))
                .withMessageContaining("were received");
    }

    @Test
    void assertNoneWhenRefusedThenFails() {
        dispatcher.registerEndpoint(EndpointRegistration.of("shop-7", receiver.url("/shop-7"), "a wrong secret", "*"));
        dispatch("order.created");
        dispatcher.removeEndpoint("shop-7");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> receiver.assertNone(dispatcher, "order.created"))
                .withMessageContaining("/shop-7 (webhook/bad-signature)");
        receiver.assertNone(dispatcher, "order.shipped");
    }

    @Test
    void assertNoneWhenRefusedWithoutTypeThenFails() throws Exception {
        post(receiver, Map.of());

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> receiver.assertNone(dispatcher, "order.created"))
                .withMessageContaining("do not verify");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:%d/shop-7", "HTTP://127.0.0.1:%d/shop-7", "http://127.0.0.1:%d"})
    void assertNoneWhenUrlIsAnotherThenKnowsReceiver(String url) {
        int port = URI.create(receiver.url()).getPort();
        receiver.answer(Answer.status(503).withRetryAfter(Duration.ofMinutes(30)));
        dispatcher.registerEndpoint(EndpointRegistration.of("shop-7", url.formatted(port), receiver.secret(), "*"));
        dispatch("order.created");
        receiver.clear();

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> receiver.assertNone(dispatcher, "order.created"))
                .withMessageContaining("will be attempted");
    }

    @Test
    void assertNoneWhenRetryIsPendingThenFails() {
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*"));
        receiver.answer(Answer.status(503).withRetryAfter(Duration.ofMinutes(30)));
        Delivery failed = dispatch("order.created");
        receiver.clear();

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> receiver.assertNone(dispatcher, "order.created"))
                .withMessageContaining("will be attempted")
                .withMessageContaining(failed.deliveryId());
    }

    @Test
    void assertNoneWhenAttemptIsInFlightThenWaitsForIt() {
        CountDownLatch inFlight = new CountDownLatch(1);
        CountDownLatch askedTwice = new CountDownLatch(2);
        InstantSource held = () -> {
            inFlight.countDown();
            Patience.await(askedTwice);
            return Instant.now();
        };
        try (WebhookReceiver slow = WebhookReceiver.builder().clock(held).start()) {
            dispatcher.registerEndpoint(slow.endpoint("slow", "*"));
            dispatcher.enqueue("order.created", "{}");
            Patience.await(inFlight);

            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> slow.assertNone(counting(askedTwice), "order.created"))
                    .withMessageContaining("were received");
        }
    }

    /** Counts how often the endpoints are read, which each look at the deliveries begins with. */
    private WebhookDispatcher counting(CountDownLatch reads) {
        return (WebhookDispatcher) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {WebhookDispatcher.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("listEndpoints")) {
                        reads.countDown();
                    }
                    return method.invoke(dispatcher, arguments);
                });
    }
}
