package io.credential.spring.test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.spring.test.WebhookReceiver.Answer;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
                .isThrownBy(() -> receiver.awaitDelivery("order.created", Duration.ZERO))
                .withMessageContaining("0 were received")
                .withMessageContaining("/shop-7 (webhook/bad-signature)");
    }

    @Test
    void receiveWhenVerifierIsGivenThenUsesIt() throws Exception {
        WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key("2026", "a secret under another kid")
                .build();
        try (WebhookReceiver other =
                        WebhookReceiver.builder().verifier(verifier).start();
                WebhookSigner signer = WebhookSigner.builder()
                        .algorithm("hmac-sha3-512")
                        .key("2026", "a secret under another kid")
                        .build()) {
            assertThat(post(other, signer.headers(new byte[0])).statusCode()).isEqualTo(200);
            assertThat(other.await(1)).singleElement().satisfies(webhook -> {
                assertThat(webhook.verified().kid()).isEqualTo("2026");
                assertThat(webhook.eventType()).isNull();
            });
        }
    }

    @Test
    void receiveWhenSecretIsGivenThenIsKey() throws Exception {
        try (WebhookReceiver other =
                        WebhookReceiver.builder().secret("a known secret").start();
                WebhookSigner signer = WebhookSigner.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v1", other.secret())
                        .build()) {
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

    @Test
    void awaitWhenThereAreTooFewThenFails() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> receiver.await(1, Duration.ofMillis(1)))
                .withMessageContaining("Expected 1 webhooks");
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
        dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*"));
        // In flight until the request has been answered, although it has been forgotten here.
        receiver.answer(Answer.status(200).withDelay(Duration.ofMillis(300)));
        dispatcher.enqueue("order.created", "{}");
        receiver.awaitDelivery("order.created");
        receiver.clear();

        receiver.assertNone(dispatcher, "order.created");

        assertThat(dispatcher.deliveries().list(DeliveryQuery.all()))
                .extracting(Delivery::status)
                .containsExactly(DeliveryStatus.DELIVERED);
    }
}
