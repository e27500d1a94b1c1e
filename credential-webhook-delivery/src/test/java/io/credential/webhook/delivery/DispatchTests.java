package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.signature.VerifiedWebhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** {@code dispatch} and {@code enqueue} outside a transaction. */
@BothDatabases
class DispatchTests extends DispatcherTestBase {

    DispatchTests(TestDatabase test) {
        super(test);
    }

    @Test
    void dispatchWhenManySubscribeThenEachGetsItOnce() {
        fixture.endpoint("all", "/all", "*");
        fixture.endpoint("paid", "/paid", "invoice.paid", "*");
        fixture.endpoint("other", "/other", "invoice.sent");

        DispatchResult result = dispatcher.dispatch("invoice.paid", Map.of("amount", 5));

        assertThat(result.delivered()).isEqualTo(2);
        assertThat(result.failed()).isZero();
        assertThat(result.deliveries()).extracting(Delivery::endpointId).containsExactly("all", "paid");
        assertThat(result.deliveries()).allSatisfy(delivery -> {
            assertThat(delivery.status()).isEqualTo(DeliveryStatus.DELIVERED);
            assertThat(delivery.attempts()).isEqualTo(1);
            assertThat(delivery.responseStatus()).isEqualTo(200);
            assertThat(delivery.deliveredAt()).isEqualTo(fixture.clock.instant());
            assertThat(fixture.delivery(delivery.deliveryId())).isEqualTo(delivery);
        });
        assertThat(fixture.receiver.hooks()).hasSize(2);
    }

    @Test
    void dispatchWhenNobodySubscribesThenNothingIsSent() {
        fixture.endpoint("other", "/other", "invoice.sent");

        assertThat(dispatcher.dispatch("invoice.paid", "{}")).isEqualTo(new DispatchResult(0, 0, List.of()));
    }

    @Test
    void dispatchWhenAttemptFailsThenWaitsForItsRetry() {
        fixture.receiver.answering("/down", 500);
        fixture.endpoint("down", "/down");
        fixture.endpoint("up", "/up");

        DispatchResult result = dispatcher.dispatch("invoice.paid", "{}");

        assertThat(result.delivered()).isEqualTo(1);
        assertThat(result.failed()).isEqualTo(1);
        Delivery failed = result.deliveries().get(0);
        assertThat(failed.status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(failed.attempts()).isEqualTo(1);
        assertThat(failed.responseStatus()).isEqualTo(500);
        assertThat(failed.lastError()).isEqualTo("HTTP 500");
        assertThat(failed.nextAttemptAt()).isEqualTo(fixture.clock.instant().plusSeconds(5));
        assertThat(fixture.delivery(failed.deliveryId())).isEqualTo(failed);
    }

    @Test
    void webhookThenSaysWhatItIsAndItsSignatureVerifies() {
        fixture.endpoint("partner", "/partner");

        Delivery delivery = dispatcher
                .dispatch("invoice.paid", Map.of("amount", 5))
                .deliveries()
                .get(0);

        HookReceiver.Hook hook = fixture.receiver.hooks().get(0);
        assertThat(hook.body()).isEqualTo("{\"amount\":5}");
        assertThat(hook.header("Content-Type")).isEqualTo("application/json");
        assertThat(hook.header("X-Webhook-Delivery-Id")).isEqualTo(delivery.deliveryId());
        assertThat(hook.header("X-Webhook-Event-Id")).isEqualTo(delivery.eventId());
        assertThat(hook.header("X-Webhook-Event-Type")).isEqualTo("invoice.paid");
        assertThat(hook.header("X-Webhook-Attempt")).isEqualTo("1");
        assertThat(hook.header("User-Agent")).matches("credential/[0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?");
        VerifiedWebhook verified = fixture.verify(hook);
        assertThat(verified.kid()).isEqualTo("v1");
        assertThat(verified.algorithm()).isEqualTo("hmac-sha3-512");
        assertThat(delivery.deliveryId()).matches("[0-9a-f]{32}");
    }

    @Test
    void dispatchWhenTextOrBytesThenSentAsTheyAre() {
        fixture.endpoint("partner", "/partner");

        dispatcher.dispatch("a", "{ \"spaced\" : \"ü\" }");
        dispatcher.dispatch("b", "not json".getBytes(StandardCharsets.UTF_8));

        assertThat(fixture.receiver.hooks())
                .extracting(HookReceiver.Hook::body)
                .containsExactly("{ \"spaced\" : \"ü\" }", "not json");
    }

    @Test
    void dispatchWhenManySubscribeThenAttemptedAtOnce() {
        JdbcWebhookDispatcher patient = fixture.node(
                options -> options.requestTimeout(Patience.LIMIT).claimReclaimAfter(Patience.LIMIT.multipliedBy(3)));
        CyclicBarrier together = new CyclicBarrier(3);
        for (String path : List.of("/1", "/2", "/3")) {
            fixture.receiver.answering(path, exchange -> {
                Patience.await(together);
                HookReceiver.respond(exchange, 200, "");
            });
            fixture.endpoint("endpoint" + path.substring(1), path);
        }

        assertThat(patient.dispatch("e", "{}").delivered()).isEqualTo(3);
    }

    @Test
    void dispatchWhenEndpointHangsThenFailsAtTheTimeout() {
        JdbcWebhookDispatcher impatient = fixture.node(options -> options.requestTimeout(Duration.ofSeconds(3)));
        fixture.receiver.hanging("/hang");
        fixture.endpoint("hang", "/hang");

        DispatchResult result = impatient.dispatch("e", "{}");

        assertThat(result.delivered()).isZero();
        assertThat(result.deliveries().get(0).lastError()).contains("did not answer completely in time");
        assertThat(result.failed()).isEqualTo(1);
    }

    @Test
    void dispatchWhenAnswerIsLateThenInFlightUntilItComes() {
        CountDownLatch answer = new CountDownLatch(1);
        JdbcWebhookDispatcher brisk = fixture.node(
                options -> options.dispatchWait(Duration.ofMillis(100)).requestTimeout(Duration.ofMinutes(2)));
        fixture.receiver.answeringAfter(answer, "/slow", 200);
        fixture.endpoint("slow", "/slow");

        DispatchResult result = brisk.dispatch("e", "{}");

        assertThat(result)
                .extracting(DispatchResult::delivered, DispatchResult::failed)
                .containsExactly(0, 0);
        Delivery delivery = result.deliveries().get(0);
        assertThat(delivery.status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
        answer.countDown();
        fixture.await(() -> fixture.delivery(delivery.deliveryId()).status() == DeliveryStatus.DELIVERED);
    }

    @Test
    void signedIdThenIsDeliveryIdAndFreshNonce() {
        fixture.receiver.answering("/shop", 500);
        fixture.endpoint("shop", "/shop");
        String id = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();
        fixture.clock.advance(Duration.ofMinutes(1));
        dispatcher.processRetries();

        List<String> ids = fixture.receiver.hooks().stream()
                .map(hook -> fixture.verify(hook).id())
                .toList();

        assertThat(ids)
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allSatisfy(signed -> assertThat(signed).matches(id + "-[0-9a-f]{32}"));
    }

    @Test
    void enqueueWhenEndpointHangsThenDoesNotWait() {
        fixture.receiver.hanging("/hang");
        fixture.endpoint("hang", "/hang");

        DispatchResult result = dispatcher.enqueue("e", "{}");

        Delivery delivery = result.deliveries().get(0);
        assertThat(delivery.status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(delivery.attempts()).isZero();
        assertThat(fixture.delivery(delivery.deliveryId())).isEqualTo(delivery);
    }

    @Test
    void idempotencyKeyWhenRepeatedThenFirstIsReturned() {
        fixture.endpoint("partner", "/partner");
        DispatchOptions keyed = DispatchOptions.none().withIdempotencyKey("order-17");

        DispatchResult first = dispatcher.dispatch("e", "{}", keyed);
        DispatchResult second = dispatcher.dispatch("e", "{}", keyed);
        DispatchResult third = dispatcher.enqueue("e", "{}", keyed);

        assertThat(second.deliveries()).isEqualTo(first.deliveries());
        assertThat(third.deliveries()).isEqualTo(first.deliveries());
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void idempotencyKeyWhenEventDiffersThenRefused() {
        fixture.endpoint("partner", "/partner");
        DispatchOptions keyed = DispatchOptions.none().withIdempotencyKey("order-17");
        dispatcher.dispatch("e", "{}", keyed);

        for (Runnable other : List.<Runnable>of(
                () -> dispatcher.dispatch("e", "[]", keyed),
                () -> dispatcher.dispatch("f", "{}", keyed),
                () -> dispatcher.dispatch("e", "{}", keyed.withAudience("tenant-1")))) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(other::run)
                    .extracting(WebhookDispatcherException::code)
                    .isEqualTo("webhook-dispatcher/idempotency-conflict");
        }
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @Test
    void idempotencyKeyWhenJsonIsEqualThenFirstIsReturned() {
        fixture.endpoint("partner", "/partner");
        DispatchOptions keyed = DispatchOptions.none().withIdempotencyKey("order-1");
        Map<String, Object> order = new TreeMap<>(Map.of("orderId", 4711, "status", "paid", "total", 1.5));
        Map<String, Object> reversed = new TreeMap<>(Comparator.reverseOrder());
        reversed.putAll(order); // as the same Map.of(..) may be iterated in another JVM
        DispatchResult first = dispatcher.dispatch("order.paid", order, keyed);

        assertThat(dispatcher.dispatch("order.paid", reversed, keyed).deliveries())
                .isEqualTo(first.deliveries());
        assertThat(dispatcher
                        .enqueue(
                                "order.paid",
                                "{ \"total\": 15e-1, \"status\": \"p\\u0061id\", \"orderId\": 4711.0 }",
                                keyed)
                        .deliveries())
                .isEqualTo(first.deliveries());
        assertThat(fixture.receiver.hooks()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void payloadWhenNestedTooDeeplyThenRefused(boolean asObject) {
        fixture.endpoint("partner", "/partner");
        Object payload = "[".repeat(501) + "]".repeat(501);
        if (asObject) {
            payload = List.of();
            for (int level = 1; level < 501; level++) {
                payload = List.of(payload);
            }
        }
        Object given = payload;

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dispatch("e", given))
                .withMessageContaining("500 levels")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
        assertThat(fixture.rows.ids("event_id", "{events}")).isEmpty();
        assertThat(dispatcher.dispatch("e", "[".repeat(500) + "]".repeat(500)).delivered())
                .isEqualTo(1);
    }

    @Test
    void payloadWhenTooLongThenRefusedAndNothingIsStored() {
        JdbcWebhookDispatcher small = fixture.node(options -> options.maxPayloadSize(10));
        fixture.endpoint("partner", "/partner");

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> small.dispatch("e", "12345678901"))
                .extracting(WebhookDispatcherException::code)
                .isEqualTo("webhook-dispatcher/payload-too-large");
        assertThat(small.dispatch("e", "1234567890").delivered()).isEqualTo(1);
        assertThat(fixture.rows.ids("event_id", "{events}")).hasSize(1);
    }

    @Test
    void eventTypeWhenItFitsNoHeaderThenRefused() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dispatch("invoice paid", "{}"))
                .extracting(WebhookDispatcherException::code)
                .isEqualTo("webhook-dispatcher/bad-opts");
    }

    @Test
    void payloadWhenNotWritableAsJsonThenRefused() {
        Map<String, Object> endless = new HashMap<>();
        endless.put("self", endless);

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.dispatch("e", endless))
                .extracting(WebhookDispatcherException::code)
                .isEqualTo("webhook-dispatcher/bad-opts");
    }
}
