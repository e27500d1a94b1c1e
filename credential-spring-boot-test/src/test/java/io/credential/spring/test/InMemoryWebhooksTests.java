package io.credential.spring.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;

import io.credential.spring.test.WebhookReceiver.Answer;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** How the dispatcher is assembled; the contracts of the core test its functions. */
class InMemoryWebhooksTests {

    @Test
    void enqueueThenIsDeliveredInTheBackground() {
        try (WebhookReceiver receiver = WebhookReceiver.start();
                InMemoryWebhooks webhooks = InMemoryWebhooks.create()) {
            webhooks.dispatcher().registerEndpoint(receiver.endpoint("shop-7", "order.created"));

            webhooks.dispatcher().enqueue("order.created", Map.of("id", "4711"));

            ReceivedWebhook received = receiver.awaitDelivery("order.created");
            assertThat(received.body()).isEqualTo("{\"id\":\"4711\"}");
            assertThat(received.path()).isEqualTo("/shop-7");
            assertThat(received.verified().deliveryId()).contains(received.header("x-webhook-delivery-id"));
        }
    }

    @Test
    void clockWhenMovedThenRetriesAreDue() {
        MutableClock clock = MutableClock.atNewYear();
        List<String> audited = new CopyOnWriteArrayList<>();
        try (WebhookReceiver receiver = WebhookReceiver.builder().clock(clock).start();
                InMemoryWebhooks webhooks = InMemoryWebhooks.builder()
                        .clock(clock)
                        .retryBackoff(new RetryBackoff(Duration.ofMinutes(1), Duration.ofHours(1), 2, 0))
                        .maxAttempts(2)
                        .auditSink(event -> audited.add(event.name()))
                        .build()) {
            WebhookDispatcher dispatcher = webhooks.dispatcher();
            dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*"));
            receiver.answer(Answer.status(503));
            Delivery failed =
                    dispatcher.dispatch("order.created", "{}").deliveries().get(0);
            assertThat(failed.status()).isEqualTo(DeliveryStatus.PENDING);

            clock.advance(Duration.ofMinutes(1));
            dispatcher.processRetries();

            Patience.until(() -> dispatcher.dlq().list().size() == 1);
            assertThat(receiver.await(2)).hasSize(2);
            Patience.until(() -> audited.contains("webhook.delivery.dead"));
        }
    }

    @Test
    void clockWhenMovedThenRateLimitAdmitsTheNext() {
        MutableClock clock = MutableClock.atNewYear();
        try (WebhookReceiver receiver = WebhookReceiver.builder().clock(clock).start();
                InMemoryWebhooks webhooks =
                        InMemoryWebhooks.builder().clock(clock).build()) {
            WebhookDispatcher dispatcher = webhooks.dispatcher();
            dispatcher.registerEndpoint(receiver.endpoint("shop-7", "*").rateLimit(1, Duration.ofMinutes(1)));
            dispatcher.enqueue("order.created", "{}");
            dispatcher.enqueue("order.created", "{}");
            assertThat(receiver.await(1)).hasSize(1);

            clock.advance(Duration.ofMinutes(1));
            dispatcher.processRetries();

            assertThat(receiver.await(2)).hasSize(2);
        }
    }

    @Test
    void registerWhenAddressIsInternalThenRefused() {
        try (InMemoryWebhooks webhooks = InMemoryWebhooks.create()) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> webhooks.dispatcher()
                            .registerEndpoint(
                                    EndpointRegistration.of("shop-7", "http://10.0.0.1/hooks", "a secret", "*")));
        }
    }

    @Test
    void buildWhenOptionIsOutOfRangeThenFails() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> InMemoryWebhooks.builder().maxAttempts(0).build());
    }
}
