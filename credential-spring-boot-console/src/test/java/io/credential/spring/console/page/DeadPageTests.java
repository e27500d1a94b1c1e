package io.credential.spring.console.page;

import java.util.List;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators see of dead deliveries, and do with them. */
@PageTest
class DeadPageTests {

    private static final String UNTIL = "2999-01-01T00:00:00";

    private final ConsoleVisitor admin;
    private final ConsoleVisitor operator;
    private final ConsoleVisitor viewer;
    private final WebhookDispatcher dispatcher;
    private final WebhookData data;

    DeadPageTests(@Autowired MockMvc mvc, @Autowired WebhookDispatcher dispatcher, @Autowired DataSource dataSource) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.operator = ConsoleVisitor.operator(mvc);
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.dispatcher = dispatcher;
        this.data = WebhookData.cleared(dispatcher, dataSource);
    }

    @Test
    void listWhenNoneIsDeadThenSaysWhatAppears() {
        assertThat(viewer.open("dead").text()).contains("No delivery is dead. A delivery dies when");
    }

    @Test
    void listThenGroupsByEndpointAndReason() {
        data.register("erp", "/fails");
        data.send("erp", "a");
        data.send("erp", "b");
        data.store(3, "gone", "dead");

        ConsoleVisitor.Answer page = viewer.open("dead");

        assertThat(page.text())
                .containsSubsequence("gone other 3", "erp http-status 2")
                .doesNotContain("there are more");
        assertThat(page.html())
                .contains("./deliveries?endpoint=erp&status=dead&reason=http-status\"")
                .doesNotContain("deliveries?endpoint=gone", "method=\"post\"");
        assertThat(operator.open("dead").html()).contains("dead/replay\"").doesNotContain("dead/purge\"");
        assertThat(admin.open("dead").html())
                .contains("dead/replay\"", "dead/purge\"", "name=\"reason\" value=\"none\"");
    }

    @Test
    void listWhenThereAreTooManyThenSaysSo() {
        data.store(5001, "gone", "dead");

        assertThat(viewer.open("dead").text()).contains("of the newest 5,000, so there are more", "gone other 5,000");
    }

    @Test
    void replayThenThatGroupAlone() {
        data.register("erp", "/fails");
        data.register("shop", "/fails");
        Delivery dead = data.send("erp", "a");
        Delivery other = data.send("shop", "a");
        dispatcher.pauseEndpoint("erp"); // so that it stays pending

        assertThat(operator.send("dead/replay", "endpoint", "erp", "reason", "none")
                        .redirect())
                .isEqualTo("../dead: Dead deliveries replayed: 0.");
        assertThat(operator.send("dead/replay", "endpoint", "erp", "reason", "http-status")
                        .redirect())
                .isEqualTo("../dead: Dead deliveries replayed: 1.");

        assertThat(data.delivery(dead.deliveryId()).status()).isEqualTo(DeliveryStatus.PENDING);
        assertThat(data.delivery(other.deliveryId()).status()).isEqualTo(DeliveryStatus.DEAD);
    }

    @Test
    void listWhenThereAreManyGroupsThenTheLargest() {
        data.store(201, "gone", "dead");
        data.sql("UPDATE _credential_webhook_deliveries SET endpoint_id = 'e-' || substr(delivery_id, -3)")
                .update();

        ConsoleVisitor.Answer page = viewer.open("dead");

        assertThat(page.text()).contains("The largest 200 of 201 groups are shown.");
        assertThat(page.html().split("<tr id=", -1)).hasSize(201);
    }

    @Test
    void purgeThenTheEndpointMustBeTyped() {
        data.register("erp", "/fails");
        data.send("erp", "a");
        data.store(2, "gone", "dead");

        assertThat(admin.send("dead/purge", "endpoint", "gone", "reason", "none", "until", UNTIL)
                        .status())
                .isEqualTo(400);
        assertThat(admin.send("dead/purge", "endpoint", "gone", "reason", "none", "until", UNTIL, "confirm", "erp")
                        .text())
                .contains("Nothing was changed");
        assertThat(dispatcher.dlq().list()).hasSize(3);

        assertThat(admin.send("dead/purge", "endpoint", "gone", "reason", "none", "until", UNTIL, "confirm", "gone")
                        .redirect())
                .isEqualTo("../dead: Dead deliveries purged: 2.");
        assertThat(dispatcher.dlq().list()).extracting(Delivery::endpointId).isEqualTo(List.of("erp"));
    }

    @Test
    void purgeThenKeepsWhatHasDiedSinceThePageWasShown() {
        data.store(1, "gone", "dead");

        assertThat(admin.open("dead").html()).containsPattern("name=\"until\" value=\"[0-9-]{10}T[^\"]*Z\"");
        assertThat(admin.send("dead/purge", "endpoint", "gone", "reason", "none", "confirm", "gone")
                        .text())
                .contains("'until' must not be empty.");
        assertThat(admin.send(
                                "dead/purge",
                                "endpoint",
                                "gone",
                                "reason",
                                "none",
                                "confirm",
                                "gone",
                                "until",
                                "1971-01-01T00:00:00")
                        .redirect())
                .isEqualTo("../dead: Dead deliveries purged: 0.");
        assertThat(dispatcher.dlq().list()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"replay", "purge"})
    void actionWhenGroupIsIncompleteThenRefused(String action) {
        data.store(1, "gone", "dead");

        assertThat(admin.send("dead/" + action).status()).isEqualTo(400);
        assertThat(admin.send("dead/" + action, "reason", "none", "confirm", "gone")
                        .text())
                .contains("'endpoint' must not be empty.");
        assertThat(admin.send("dead/" + action, "endpoint", "gone", "confirm", "gone", "until", UNTIL)
                        .text())
                .contains("'reason' must not be empty.");
        assertThat(admin.send("dead/" + action, "endpoint", "gone", "confirm", "gone", "reason", "mood", "until", UNTIL)
                        .text())
                .contains("'reason' is not a reason of a failed attempt.");
        assertThat(dispatcher.dlq().list()).hasSize(1);
    }
}
