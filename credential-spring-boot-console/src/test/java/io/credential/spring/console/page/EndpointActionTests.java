package io.credential.spring.console.page;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.signature.WebhookVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators do with endpoints, and who is offered it. */
@PageTest
class EndpointActionTests {

    private final ConsoleVisitor admin;
    private final ConsoleVisitor operator;
    private final WebhookDispatcher dispatcher;
    private final PageApplication.Receivers receivers;

    EndpointActionTests(
            @Autowired MockMvc mvc,
            @Autowired WebhookDispatcher dispatcher,
            @Autowired PageApplication.Receivers receivers) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.operator = ConsoleVisitor.operator(mvc);
        this.dispatcher = dispatcher;
        this.receivers = receivers;
    }

    @BeforeEach
    void registerShop() {
        dispatcher.listEndpoints().forEach(endpoint -> dispatcher.removeEndpoint(endpoint.endpointId()));
        register("/accepts");
    }

    @Test
    void pauseAndResumeThenDoSo() {
        assertThat(operator.send("endpoints/shop/pause").redirect())
                .isEqualTo("../../endpoints/shop: The endpoint is paused. Its deliveries are kept.");
        assertThat(shop().pausedAt()).isNotNull();
        assertThat(operator.open("endpoints/shop").text())
                .contains("The endpoint is paused. Its deliveries are kept.", "Resume");
        assertThat(operator.open("endpoints/shop").text()).as("said once").doesNotContain("Its deliveries are kept.");

        assertThat(operator.send("endpoints/shop/resume").redirect())
                .isEqualTo("../../endpoints/shop: The endpoint is active again.");
        assertThat(shop().pausedAt()).isNull();
    }

    @Test
    void testThenGoesToTheDelivery() {
        String location = operator.send("endpoints/shop/test").redirect();

        Delivery sent = dispatcher.deliveries().list(DeliveryQuery.all()).get(0);
        assertThat(location)
                .isEqualTo("../../deliveries/" + sent.deliveryId()
                        + ": The delivery was attempted; the latest attempt is below.");
        assertThat(sent.eventType()).isEqualTo(WebhookDispatcher.TEST_EVENT);
        assertThat(sent.status()).isEqualTo(DeliveryStatus.DELIVERED);
    }

    @Test
    void replayThenMakesTheDeadPending() {
        register("/fails");
        dispatcher.dispatch("e", "{}");
        dispatcher.pauseEndpoint("shop"); // so that it stays pending
        Instant later = Instant.now().plusSeconds(3600);

        assertThat(operator.send("endpoints/shop/replay", "since", later.toString())
                        .redirect())
                .isEqualTo("../../endpoints/shop: Dead deliveries replayed: 0.");
        assertThat(operator.send("endpoints/shop/replay").redirect())
                .isEqualTo("../../endpoints/shop: Dead deliveries replayed: 1.");
        assertThat(dispatcher.deliveries().list(DeliveryQuery.all()).get(0).status())
                .isEqualTo(DeliveryStatus.PENDING);
        assertThat(operator.send("endpoints/shop/replay", "since", "yesterday").status())
                .isEqualTo(400);
    }

    @Test
    void rotateThenShowsTheSecretOnce() {
        admin.open("endpoints/shop");

        ConsoleVisitor.Answer shown = admin.send("endpoints/shop/rotate", "overlap", "2");

        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.text()).contains("The secret was replaced.", "v2 of shop", "is valid until");
        assertThat(shown.html()).containsPattern("data-secret=\"../../endpoints/shop\"[^>]*>[0-9a-f]{64}<");
        assertThat(shown.cacheControl()).isEqualTo("no-store");
        assertThat(shop().kid()).isEqualTo("v2");
        assertThat(shop().previousSecretUntil())
                .isBetween(Instant.now().plusSeconds(7200 - 600), Instant.now().plusSeconds(7200));

        ConsoleVisitor.Answer again = admin.send("endpoints/shop/rotate");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text()).contains("This form was sent already. The secret is not shown again.");
        assertThat(shop().kid()).isEqualTo("v2");
    }

    @Test
    void rotateWhenSecretIsGivenThenNotShown() {
        admin.open("endpoints/shop");

        assertThat(admin.send("endpoints/shop/rotate", "overlap", "0", "secret", " with its spaces ")
                        .redirect())
                .isEqualTo("../../endpoints/shop: The secret of the endpoint was replaced.");
        assertThat(shop().previousSecretUntil()).isNull();
        dispatcher.sendTestEvent("shop");
        assertThat(WebhookVerifier.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v2", " with its spaces ")
                        .build()
                        .verify(
                                receivers.latest().body(),
                                multiple(receivers.latest().headers()))
                        .kid())
                .isEqualTo("v2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"169", "99999999999999999", "-1", "1.5"})
    void rotateWhenOverlapIsInvalidThenRefused(String hours) {
        admin.open("endpoints/shop");

        assertThat(admin.send("endpoints/shop/rotate", "overlap", hours).status())
                .isEqualTo(400);
        assertThat(shop().kid()).isEqualTo("v1");
        assertThat(admin.send("endpoints/shop/rotate", "overlap", "168").status())
                .as("the form was not used up")
                .isEqualTo(200);
    }

    @Test
    void rotateWhenFormHasNoIdThenRefused() {
        assertThat(admin.send("endpoints/shop/rotate").status()).isEqualTo(400);
        assertThat(admin.send("endpoints/shop/rotate", "form", "x").status()).isEqualTo(400);
        assertThat(shop().kid()).isEqualTo("v1");
    }

    @Test
    void removeThenTheIdMustBeTyped() {
        assertThat(admin.send("endpoints/shop/remove").status()).isEqualTo(400);
        assertThat(admin.send("endpoints/shop/remove", "confirm", "SHOP").text())
                .contains("Nothing was changed. Type exactly shop to confirm.");
        assertThat(shop()).isNotNull();

        assertThat(admin.send("endpoints/shop/remove", "confirm", "shop").redirect())
                .isEqualTo("../../endpoints: The endpoint was removed. Its pending deliveries are now dead.");
        assertThat(dispatcher.getEndpoint("shop")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "test", "remove?confirm=shop"})
    void actionWhenEndpointIsRemovedMeanwhileThenSaysSo(String action) {
        ConsoleVisitor.Answer answer = admin.open("removed-meanwhile/shop/" + action);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text()).contains("No endpoint has the id shop. It may have been removed.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "test", "replay", "rotate", "remove", "edit"})
    void actionWhenEndpointIsRemovedThenSaysSo(String action) {
        admin.open("endpoints/shop");
        dispatcher.removeEndpoint("shop");

        ConsoleVisitor.Answer answer = admin.send("endpoints/shop/" + action, "confirm", "shop");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.text()).contains("No endpoint has the id shop. It may have been removed.");
        assertThat(dispatcher.getEndpoint("shop")).isEmpty();
    }

    @Test
    void showWhenNotAdminThenHasNoButtonsOfAdmins() {
        assertThat(admin.open("endpoints/shop").html()).contains("/rotate", "/remove");
        assertThat(operator.open("endpoints/shop").html()).contains("/pause").doesNotContain("/rotate", "/remove");
    }

    private static Map<String, List<String>> multiple(Map<String, String> headers) {
        Map<String, List<String>> multiple = new HashMap<>();
        headers.forEach((name, value) -> multiple.put(name, List.of(value)));
        return multiple;
    }

    private Endpoint shop() {
        return dispatcher.getEndpoint("shop").orElseThrow();
    }

    private void register(String path) {
        dispatcher.registerEndpoint(
                EndpointRegistration.withGeneratedSecret("shop", "http://127.0.0.1" + path, List.of("*")));
    }
}
