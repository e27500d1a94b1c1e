package io.credential.spring.console.page;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.SecretRotation;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators see of endpoints. */
@PageTest
class EndpointPageTests {

    private static final String URL = "http://127.0.0.1/hooks/hunter2";

    private final ConsoleVisitor admin;
    private final ConsoleVisitor viewer;
    private final WebhookDispatcher dispatcher;

    EndpointPageTests(@Autowired MockMvc mvc, @Autowired WebhookDispatcher dispatcher) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.dispatcher = dispatcher;
    }

    @BeforeEach
    void removeEndpoints() {
        dispatcher.listEndpoints().forEach(endpoint -> dispatcher.removeEndpoint(endpoint.endpointId()));
    }

    @Test
    void listWhenThereAreNoneThenShowsTheCode() {
        assertThat(viewer.open("endpoints").text()).contains("No endpoints yet", "dispatcher.registerEndpoint(");
    }

    @Test
    void listThenShowsUrlsOnlyWithTheirAuthority() {
        register("shop", "e");

        assertThat(viewer.open("endpoints").html()).contains("127.0.0.1").doesNotContain("hunter2");
        assertThat(viewer.open("endpoints/shop").html()).contains("127.0.0.1").doesNotContain("hunter2");
        assertThat(admin.open("endpoints").html()).contains(URL);
        assertThat(admin.open("endpoints/shop").html()).contains(URL);
    }

    @Test
    void showWhenTheIdIsNewThenShowsTheEndpoint() {
        register("new", "e");

        assertThat(admin.open("endpoints/new").html()).contains("endpoints/new/pause");
    }

    @Test
    void listThenShowsTypesAndState() {
        register("few", "a", "b", "c");
        register("many", "a", "b", "c", "d", "e");
        register("whole", "*");
        dispatcher.pauseEndpoint("many");

        assertThat(viewer.open("endpoints").text())
                .containsSubsequence("few 127.0.0.1 a, b, c –", "active")
                .containsSubsequence("many 127.0.0.1 a, b, c and 2 more –", "paused manual")
                .contains("whole 127.0.0.1 all –");
    }

    @Test
    void listWhenThereAreMoreThen50ThenHasPages() {
        for (int i = 10; i <= 60; i++) {
            register("e-" + i, "e");
        }

        assertThat(viewer.open("endpoints").html())
                .contains("e-59", "endpoints?after=e-59")
                .doesNotContain("e-60", ">First<");
        assertThat(viewer.open("endpoints?after=e-59").html())
                .contains("e-60", ">First<")
                .doesNotContain("e-58", ">Next<");
        dispatcher.removeEndpoint("e-60");
        assertThat(viewer.open("endpoints").html()).contains("e-59").doesNotContain(">Next<");
        assertThat(viewer.open("endpoints?after=e-60").text()).contains("No more endpoints");
        assertThat(viewer.open("endpoints?after=a%20b").status()).isEqualTo(400);
    }

    @Test
    void openThenGoesToTheEndpoint() {
        register("shop", "e");

        assertThat(viewer.open("endpoints?id=shop").location()).isEqualTo("./endpoints/shop");
        assertThat(viewer.open("endpoints?id=shop-7").status()).isEqualTo(404);
    }

    @Test
    void showThenHasAllButSecrets() {
        String given = "a secret of the receiver";
        dispatcher.registerEndpoint(EndpointRegistration.of("shop", URL, given, "order.created", "order.paid")
                .audience("tenant-7")
                .name("The <i>shop</i>")
                .metadata(Map.of("contract", 4711))
                .rateLimit(1200, Duration.ofMinutes(1))
                .scheme(SignatureScheme.STRIPE)
                .signatureHeader("X-Signature")
                .header("Authorization", "Bearer of-the-gateway"));
        dispatcher.rotateSecret("shop", SecretRotation.generated());
        dispatcher.pauseEndpoint("shop");

        ConsoleVisitor.Answer page = admin.open("endpoints/shop");

        assertThat(page.text())
                .contains(
                        "The <i>shop</i>",
                        "tenant-7",
                        "order.created order.paid",
                        "stripe in the header X-Signature",
                        "v2; the previous secret is valid until",
                        "1,200 in 1 min",
                        "{\"contract\":4711}",
                        "paused manual since")
                .doesNotContain("Public key");
        assertThat(page.html())
                .contains("deliveries?endpoint=shop&status=dead", "deliveries?endpoint=shop&status=in-flight")
                .doesNotContain("<i>shop</i>", given, "of-the-gateway");
    }

    @Test
    void showWhenSchemeHasPublicKeyThenItCanBeCopied() {
        dispatcher.registerEndpoint(
                EndpointRegistration.of("shop", URL, "whsk_" + "A".repeat(43) + "=", "order.created")
                        .scheme(SignatureScheme.STANDARD_WEBHOOKS));

        assertThat(viewer.open("endpoints/shop").html()).contains("data-copy=\"the public key\">whpk_");
    }

    @Test
    void showWhenRemovedThenLinksToItsDeliveries() {
        ConsoleVisitor.Answer page = viewer.open("endpoints/gone");

        assertThat(page.status()).isEqualTo(404);
        assertThat(page.text()).contains("No endpoint has the id gone. It may have been removed.");
        assertThat(page.html()).contains("../deliveries?endpoint=gone");
    }

    @Test
    void showWhenUnchangedThenNothingIsSentAgain() {
        register("shop", "e");

        assertThat(admin.etag("endpoints/shop")).isEqualTo(admin.etag("endpoints/shop"));
    }

    @Test
    void showThenViewersHaveNoButtons() {
        register("shop", "e");

        assertThat(viewer.open("endpoints/shop").html()).doesNotContain("<form method=\"post\"", "/edit");
        assertThat(viewer.open("endpoints").html()).doesNotContain("new-endpoint");
        assertThat(viewer.open("new-endpoint").text()).contains("This needs the authority CREDENTIAL_OPERATE");
        assertThat(viewer.open("endpoints/shop/edit").html()).doesNotContain("<form method=\"post\"");
    }

    private void register(String id, String... eventTypes) {
        dispatcher.registerEndpoint(EndpointRegistration.withGeneratedSecret(id, URL, List.of(eventTypes)));
    }
}
