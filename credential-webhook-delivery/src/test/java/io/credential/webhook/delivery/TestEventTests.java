package io.credential.webhook.delivery;

import java.util.List;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A test event goes to one endpoint, and is otherwise an event like any other. */
@BothDatabases
class TestEventTests extends DispatcherTestBase {

    TestEventTests(TestDatabase test) {
        super(test);
        fixture.endpoint("shop", "/shop", "order.created");
        fixture.endpoint("other", "/other", "*");
    }

    @Test
    void sendThenOnlyThisEndpointGetsIt() {
        Delivery delivery = dispatcher.sendTestEvent("shop");

        assertThat(delivery)
                .returns(DeliveryStatus.DELIVERED, Delivery::status)
                .returns(200, Delivery::responseStatus)
                .returns("webhook.test", Delivery::eventType);
        assertThat(fixture.delivery(delivery.deliveryId())).isEqualTo(delivery);
        assertThat(fixture.receiver.hooks()).hasSize(1);
        HookReceiver.Hook hook = fixture.receiver.hooks("/shop").get(0);
        assertThat(hook.header("X-Webhook-Event-Type")).isEqualTo("webhook.test");
        assertThat(fixture.verify(hook).deliveryId()).contains(delivery.deliveryId());
    }

    @Test
    void sendWithTypeAndPayloadThenOnlyThisEndpointGetsThem() {
        Delivery delivery = dispatcher.sendTestEvent("shop", "invoice.paid", "{\"id\":1}");

        assertThat(delivery)
                .returns(DeliveryStatus.DELIVERED, Delivery::status)
                .returns("invoice.paid", Delivery::eventType);
        assertThat(fixture.receiver.hooks()).hasSize(1);
        assertThat(fixture.receiver.hooks("/shop").get(0).body()).isEqualTo("{\"id\":1}");
    }

    @Test
    void sendWhenDispatchWouldRefuseThenRefused() {
        String tooLarge = "\"" + "x".repeat(1024 * 1024) + "\"";
        assertRefused("webhook-dispatcher/bad-opts", () -> dispatcher.sendTestEvent("shop", "no name", "{}"));
        assertRefused("webhook-dispatcher/bad-opts", () -> dispatcher.sendTestEvent("shop", "..", "{}"));
        assertRefused("webhook-dispatcher/bad-opts", () -> dispatcher.sendTestEvent("shop", "credential.x", "{}"));
        assertRefused("webhook-dispatcher/bad-opts", () -> dispatcher.sendTestEvent("shop", "e", Double.NaN));
        assertRefused("webhook-dispatcher/payload-too-large", () -> dispatcher.sendTestEvent("shop", "e", tooLarge));
        assertRefused("webhook-dispatcher/not-found", () -> dispatcher.sendTestEvent("unknown", "e", "{}"));
        assertThat(fixture.receiver.hooks()).isEmpty();
    }

    @Test
    void sendThenAudited() {
        Delivery test = dispatcher.sendTestEvent("shop");
        Delivery example = dispatcher.sendTestEvent("shop", "invoice.paid", "{}");

        assertThat(audited())
                .containsExactly(
                        "shop {deliveryId=" + test.deliveryId() + ", eventType=webhook.test}",
                        "shop {deliveryId=" + example.deliveryId() + ", eventType=invoice.paid}");
    }

    @Test
    void sendWhenEndpointIsUnknownThenNotAudited() {
        assertRefused("webhook-dispatcher/not-found", () -> dispatcher.sendTestEvent("unknown"));

        assertThat(audited()).isEmpty();
    }

    private List<String> audited() {
        return fixture.audited.stream()
                .filter(event -> event.name().equals("webhook.endpoint.test"))
                .map(event -> event.resourceId() + " " + new TreeMap<>(event.attributes()))
                .toList();
    }

    private static void assertRefused(String code, Runnable call) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(call::run)
                .returns(code, WebhookDispatcherException::code);
    }

    @Test
    void sendWhenEndpointIsPausedThenSent() {
        dispatcher.pauseEndpoint("shop");

        assertThat(dispatcher.sendTestEvent("shop").status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(dispatcher.listEndpoints().get(1).pausedAt()).isNotNull();
    }

    @Test
    void sendWhenPausedAndItFailsThenHeld() {
        fixture.receiver.answering("/shop", 503);
        dispatcher.pauseEndpoint("shop");

        Delivery failed = dispatcher.sendTestEvent("shop");

        assertThat(failed).returns(DeliveryStatus.PENDING, Delivery::status).returns(503, Delivery::responseStatus);
        fixture.clock.set(failed.nextAttemptAt());
        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(0, 0, 0));
    }

    @Test
    void sendWhenItFailsThenRetried() {
        fixture.receiver.answeringInTurn("/shop", 503, 200);

        Delivery failed = dispatcher.sendTestEvent("shop");
        assertThat(failed).returns(DeliveryStatus.PENDING, Delivery::status).returns(503, Delivery::responseStatus);
        fixture.clock.set(failed.nextAttemptAt());

        assertThat(dispatcher.processRetries()).isEqualTo(new RetryResult(1, 1, 0));
    }

    @Test
    void sendWhenEndpointHasAnAudienceThenSentToIt() {
        dispatcher.registerEndpoint(
                EndpointRegistration.of("tenant", fixture.receiver.url("/tenant"), DispatcherFixture.SECRET, "*")
                        .audience("customer-7")
                        .payloadFormat(PayloadFormat.ENVELOPE));

        assertThat(dispatcher.sendTestEvent("tenant").status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(fixture.receiver.hooks("/tenant").get(0).body()).startsWith("{\"type\":\"webhook.test\"");
    }

    @Test
    void sendWhenEndpointIsUnknownThenNotFound() {
        for (String id : List.of("nobody", "", "no such name")) {
            assertThatExceptionOfType(WebhookDispatcherException.class)
                    .isThrownBy(() -> dispatcher.sendTestEvent(id))
                    .returns("webhook-dispatcher/not-found", WebhookDispatcherException::code);
        }
        assertThat(fixture.rows.ids("event_id", "{events}")).isEmpty();
    }

    @Test
    void sendWhenInTransactionThenSentAfterItsCommit() {
        fixture.dispatcher.start();
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(test.dataSource()));

        transaction.executeWithoutResult(status -> {
            dispatcher.sendTestEvent("other");
            status.setRollbackOnly();
        });
        transaction.executeWithoutResult(status -> {
            assertThat(dispatcher.sendTestEvent("shop").status()).isEqualTo(DeliveryStatus.PENDING);
            assertThat(fixture.receiver.hooks()).isEmpty();
            assertThat(audited()).isEmpty();
        });
        assertThat(audited()).singleElement().asString().startsWith("shop ");

        fixture.await(() -> fixture.receiver.hooks("/shop").size() == 1);
        assertThat(fixture.receiver.hooks("/other")).isEmpty();
    }
}
