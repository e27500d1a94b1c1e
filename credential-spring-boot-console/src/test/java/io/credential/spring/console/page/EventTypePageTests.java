package io.credential.spring.console.page;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators see of the event types of the application. */
@PageTest
class EventTypePageTests {

    private final ConsoleVisitor operator;
    private final ConsoleVisitor viewer;
    private final WebhookDispatcher dispatcher;
    private final TransactionTemplate transactions;

    EventTypePageTests(
            @Autowired MockMvc mvc,
            @Autowired WebhookDispatcher dispatcher,
            @Autowired PlatformTransactionManager transactions) {
        this.operator = ConsoleVisitor.operator(mvc);
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.dispatcher = dispatcher;
        this.transactions = new TransactionTemplate(transactions);
    }

    @AfterEach
    @BeforeEach
    void removeEndpoints() {
        transactions.executeWithoutResult(status ->
                dispatcher.listEndpoints().forEach(endpoint -> dispatcher.removeEndpoint(endpoint.endpointId())));
    }

    @Test
    void listThenCountsSubscribers() {
        register("one", "order.created");
        register("all", "*");
        register("orders", "order.*");
        register("other", "order.paid");

        assertThat(viewer.open("event-types").text())
                .contains("order.created A customer has placed an <order>. 3")
                .doesNotContain("there are more");
    }

    @Test
    void showThenHasSchemaAndSubscribers() {
        register("one", "order.created");
        register("other", "order.paid");
        dispatcher.pauseEndpoint("one");

        ConsoleVisitor.Answer page = viewer.open("event-types/order.created");

        assertThat(page.text())
                .contains("one paused manual", "PageApplication$OrderCreated", "\"orderId\"", "\"cents\"")
                .doesNotContain("other");
        assertThat(page.html()).contains("../deliveries?type=order.created", "../endpoints/one");
    }

    @Test
    void showWhenNobodySubscribesThenSaysSo() {
        assertThat(viewer.open("event-types/order.created").text()).contains("No endpoint subscribes to this type.");
    }

    @Test
    void showWhenSubscribersAreManyThen50AreListed() {
        for (int i = 100; i < 152; i++) {
            register("e-" + i, "order.created");
        }

        assertThat(viewer.open("event-types/order.created").text())
                .contains("e-149", "and 2 more")
                .doesNotContain("e-150");
    }

    @Test
    void listWhenEndpointsAreManyThenTheFirst1000Count() {
        transactions.executeWithoutResult(status -> {
            for (int i = 1000; i < 2000; i++) {
                register("e-" + i, "order.created");
            }
        });
        assertThat(viewer.open("event-types").text()).contains(" 1,000 ").doesNotContain("there are more");

        register("e-2000", "order.created");

        assertThat(viewer.open("event-types").text()).contains(" 1,000 ", "there are more");
        assertThat(viewer.open("event-types/order.created").text()).contains("and 950 more", "there are more");
    }

    @Test
    void showWhenUnknownThenNotFound() {
        assertThat(viewer.open("event-types/order.lost").status()).isEqualTo(404);
    }

    @Test
    void sendExampleThenThatOfTheCatalog() {
        register("one", "order.created");

        assertThat(viewer.open("event-types/order.created").html()).doesNotContain("method=\"post\"");
        ConsoleVisitor.Answer page = operator.open("event-types/order.created");
        assertThat(page.html()).contains("event-types/order.created/send\"", "<option>one</option>");
        String location = operator.send(
                        "event-types/order.created/send", "endpoint", "one", "payload", "{\"orderId\":\"forged\"}")
                .redirect();

        Delivery sent = dispatcher.deliveries().list(DeliveryQuery.all()).get(0);
        assertThat(location)
                .isEqualTo("../../deliveries/" + sent.deliveryId()
                        + ": The delivery was attempted; the latest attempt is below.");
        assertThat(sent)
                .returns("order.created", Delivery::eventType)
                .returns("one", Delivery::endpointId)
                .returns(DeliveryStatus.DELIVERED, Delivery::status);
        String payload =
                new String(dispatcher.deliveries().payload(sent.deliveryId()).orElseThrow(), StandardCharsets.UTF_8);
        assertThat(payload).contains("\"orderId\"", "\"cents\"").doesNotContain("forged");
        assertThat(page.text()).contains(payload.replaceAll("\\s+", " "));
    }

    @Test
    void sendExampleWhenNobodySubscribesThenNotOffered() {
        assertThat(operator.open("event-types/order.created").html()).doesNotContain("/send\"");
    }

    @Test
    void sendExampleWhenUnknownThenNotFound() {
        register("one", "order.created");

        assertThat(operator.send("event-types/order.lost/send", "endpoint", "one")
                        .status())
                .isEqualTo(404);
        assertThat(operator.send("event-types/order.created/send", "endpoint", "gone")
                        .status())
                .isEqualTo(404);
        assertThat(operator.send("event-types/order.created/send").status()).isEqualTo(400);
    }

    private void register(String id, String eventType) {
        dispatcher.registerEndpoint(
                EndpointRegistration.withGeneratedSecret(id, "http://127.0.0.1/", List.of(eventType)));
    }
}
