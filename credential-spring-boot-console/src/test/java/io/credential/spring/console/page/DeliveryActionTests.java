package io.credential.spring.console.page;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators do with deliveries. */
@PageTest
class DeliveryActionTests {

    private static final String UNKNOWN = "0".repeat(32);

    private final ConsoleVisitor admin;
    private final ConsoleVisitor operator;
    private final WebhookDispatcher dispatcher;
    private final WebhookData data;
    private final Delivery dead;

    DeliveryActionTests(
            @Autowired MockMvc mvc, @Autowired WebhookDispatcher dispatcher, @Autowired DataSource dataSource) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.operator = ConsoleVisitor.operator(mvc);
        this.dispatcher = dispatcher;
        this.data = WebhookData.cleared(dispatcher, dataSource);
        data.register("shop", "/fails");
        this.dead = data.send("shop", "order.created");
        data.register("shop", "/accepts");
    }

    @Test
    void retryThenAttemptsAgain() {
        assertThat(operator.send(path("retry")).redirect())
                .isEqualTo("../../deliveries/" + dead.deliveryId()
                        + ": The delivery was attempted; the latest attempt is below.");

        assertThat(now().status()).isEqualTo(DeliveryStatus.DELIVERED);
        assertThat(operator.open("deliveries/" + dead.deliveryId()).text())
                .contains("The delivery was attempted;")
                .containsSubsequence("Attempt 1 accepted", "Attempt 1 failed");
    }

    @Test
    void retryWhenItCannotBeSentThenSaysSo() {
        dispatcher.registerEndpoint(EndpointRegistration.withGeneratedSecret(
                        "enveloped", WebhookData.HOST + "/accepts", List.of("note.written"))
                .audience("enveloped")
                .payloadFormat(PayloadFormat.ENVELOPE));
        Delivery text = dispatcher
                .dispatch("note.written", "not JSON", DispatchOptions.none().withAudience("enveloped"))
                .deliveries()
                .get(0);

        assertThat(operator.send("deliveries/" + text.deliveryId() + "/retry").redirect())
                .endsWith(": The delivery could not be attempted; the last error says why.");
    }

    @Test
    void replayThenAttemptsAgain() {
        assertThat(operator.send(path("replay")).redirect())
                .isEqualTo("../../deliveries/" + dead.deliveryId()
                        + ": The delivery was attempted; the latest attempt is below.");
        assertThat(now().status()).isEqualTo(DeliveryStatus.DELIVERED);

        assertThat(operator.send(path("replay")).status()).as("not dead now").isEqualTo(404);
    }

    @Test
    void retryWhenInFlightThenRefused() {
        data.claim(dead.deliveryId());

        ConsoleVisitor.Answer answer = operator.send(path("retry"));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.text()).contains("webhook-dispatcher/in-flight");
        assertThat(now().status()).isEqualTo(DeliveryStatus.IN_FLIGHT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "replay"})
    void actionWhenPayloadIsErasedThenRefused(String action) {
        dispatcher.deliveries().erasePayloads(ErasureQuery.ofEvent(dead.eventId()));

        ConsoleVisitor.Answer answer = operator.send(path(action));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.text()).contains("webhook-dispatcher/payload-erased");
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "replay", "erase"})
    void actionWhenUnknownThenNotFound(String action) {
        assertThat(admin.send("deliveries/" + UNKNOWN + "/" + action).status()).isEqualTo(404);
        assertThat(admin.send("deliveries/no-id/" + action).status()).isEqualTo(404);
    }

    @Test
    void eraseThenForAllDeliveriesOfTheEvent() {
        assertThat(admin.send(path("erase")).redirect())
                .isEqualTo("../../deliveries/" + dead.deliveryId()
                        + ": The payload was erased, for all deliveries of the event.");

        assertThat(now().payloadErasedAt()).isNotNull();
        assertThat(admin.open("deliveries/" + dead.deliveryId()).text())
                .contains("The payload was erased, for all deliveries of the event.");
    }

    @Test
    void eraseWhenPendingThenOnlyIfSelected() {
        dispatcher.pauseEndpoint("shop");
        Delivery held = data.send("shop", "order.created");
        String path = "deliveries/" + held.deliveryId() + "/erase";

        assertThat(admin.send(path).redirect())
                .endsWith(": The payload was not erased, because a delivery of the event is pending or in flight.");
        assertThat(data.delivery(held.deliveryId()).payloadErasedAt()).isNull();

        assertThat(admin.send(path, "pending", "yes").redirect())
                .contains(": The payload was erased, for all deliveries of the event.");
        assertThat(data.delivery(held.deliveryId()))
                .returns(DeliveryStatus.DEAD, Delivery::status)
                .doesNotReturn(null, Delivery::payloadErasedAt);
    }

    @Test
    void retrySelectedThenThoseAndNoOthers() {
        dispatcher.pauseEndpoint("shop"); // so that they stay pending
        data.register("erp", "/fails");
        Delivery other = data.send("erp", "order.created");
        Delivery inFlight = data.send("erp", "order.created");
        data.claim(inFlight.deliveryId());

        assertThat(operator.send(
                                "deliveries/retry-selected?status=dead&type=order.created",
                                "id",
                                dead.deliveryId(),
                                "id",
                                inFlight.deliveryId(),
                                "id",
                                UNKNOWN)
                        .redirect())
                .isEqualTo("../deliveries?type=order.created&status=dead: Retried: 1. Not retried: 2.");

        assertThat(now().status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(data.delivery(other.deliveryId()).status()).isEqualTo(DeliveryStatus.DEAD);
        assertThat(operator.open("deliveries?type=order.created&status=dead").text())
                .contains("Retried: 1. Not retried: 2.");
    }

    @Test
    void retrySelectedWhenNoneThenRefused() {
        ConsoleVisitor.Answer answer = operator.send("deliveries/retry-selected");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("Select 1 to 50 deliveries.");
        assertThat(operator.send("deliveries/retry-selected", "id", "no-id").status())
                .isEqualTo(400);
    }

    @Test
    void retrySelectedWhenTooManyThenRefused() {
        assertThat(operator.send("deliveries/retry-selected", ids(51)).status()).isEqualTo(400);
        assertThat(operator.send("deliveries/retry-selected", ids(50)).redirect())
                .contains("Retried: 0. Not retried: 50.");
    }

    private String path(String action) {
        return "deliveries/" + dead.deliveryId() + "/" + action;
    }

    private Delivery now() {
        return data.delivery(dead.deliveryId());
    }

    private static String[] ids(int number) {
        return IntStream.range(0, number)
                .boxed()
                .flatMap(i -> Stream.of("id", "%032x".formatted(i)))
                .toArray(String[]::new);
    }
}
