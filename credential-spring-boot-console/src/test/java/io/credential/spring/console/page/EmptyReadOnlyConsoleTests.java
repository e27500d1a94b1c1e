package io.credential.spring.console.page;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.event.WebhookEventCatalog;

import static org.assertj.core.api.Assertions.assertThat;

/** Has another context: routes and the catalog are fixed at startup. */
@PageTest
@Import(EmptyReadOnlyConsoleTests.NoEventTypes.class)
@TestPropertySource(properties = "credential.console.read-only=true")
class EmptyReadOnlyConsoleTests {

    private final ConsoleVisitor admin;
    private final WebhookDispatcher dispatcher;

    EmptyReadOnlyConsoleTests(@Autowired MockMvc mvc, @Autowired WebhookDispatcher dispatcher) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.dispatcher = dispatcher;
        dispatcher.registerEndpoint(EndpointRegistration.of("shop", "http://127.0.0.1/", "a secret of 16+ bytes", "e"));
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class NoEventTypes {

        @Bean
        WebhookEventCatalog catalog() {
            return WebhookEventCatalog.empty();
        }
    }

    @Test
    void eventTypesWhenThereAreNoneThenShowsTheCode() {
        assertThat(admin.open("event-types").text())
                .contains("The catalog has no event types yet", "@WebhookEvent(value = \"order.created\"");
    }

    @Test
    void keysWhenThereAreNoneThenShowsTheCode() {
        assertThat(admin.open("keys").text())
                .contains("No key was issued yet", "registry.issue(IssueRequest.forOwner(");
    }

    @Test
    void overviewWhenThereAreNoKeysThenShowsTheCode() {
        assertThat(admin.open(FreshOverview.PATH).text())
                .contains("API keys of live No key was issued yet.", "registry.issue(IssueRequest.forOwner(");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keys/new",
                "keys/live/a/rotate",
                "keys/live/a/disable",
                "keys/live/a/enable",
                "keys/live/a/revoke",
                "keys/live/a/limits",
                "audit/verify"
            })
    void keyOrAuditActionWhenReadOnlyThenDoesNotExist(String action) {
        assertThat(admin.send(action, "confirm", "a").status()).isIn(404, 405);
    }

    @Test
    void keySearchWhenReadOnlyThenExists() {
        assertThat(admin.send("keys/search", "owner", "nobody").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "endpoints/shop/pause",
                "endpoints/shop/resume",
                "endpoints/shop/test",
                "endpoints/shop/replay",
                "endpoints/shop/rotate",
                "endpoints/shop/remove",
                "endpoints/shop/edit",
                "new-endpoint"
            })
    void actionWhenReadOnlyThenDoesNotExist(String action) {
        assertThat(admin.send(action, "confirm", "shop").status()).isIn(404, 405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dead/replay",
                "dead/purge",
                "deliveries/retry?endpoint=shop",
                "deliveries/retry-selected",
                "deliveries/00000000000000000000000000000000/retry",
                "deliveries/00000000000000000000000000000000/replay",
                "deliveries/00000000000000000000000000000000/erase",
                "jobs/00000000000000000000000000000000/cancel",
                "event-types/e/send"
            })
    void webhookActionWhenReadOnlyThenDoesNotExist(String action) {
        ConsoleVisitor.Answer answer = admin.send(action, "endpoint", "shop");

        assertThat(answer.status()).isIn(404, 405);
        assertThat(answer.text()).doesNotContain("No delivery has", "No job has", "does not contain this event type");
    }

    @Test
    void webhookPagesWhenReadOnlyThenHaveNoForms() {
        String delivery = dispatcher.dispatch("e", "{}").deliveries().get(0).deliveryId();

        assertThat(admin.open("deliveries").html()).contains(delivery).doesNotContain("method=\"post\"", "name=\"id\"");
        assertThat(admin.open("deliveries/" + delivery).html())
                .contains("/payload\"")
                .doesNotContain("method=\"post\"");
        assertThat(admin.open("deliveries?endpoint=shop").html()).doesNotContain("Retry all");
        assertThat(admin.open("deliveries/retry?endpoint=shop").html()).doesNotContain("method=\"post\"");
        assertThat(admin.open("dead").html()).doesNotContain("method=\"post\"");
    }

    @Test
    void pagesWhenReadOnlyThenHaveNoForms() {
        assertThat(admin.open("endpoints").html()).contains("shop").doesNotContain("method=\"post\"", "new-endpoint");
        assertThat(admin.open("keys").html()).doesNotContain("keys/new");
        assertThat(admin.open("audit").html()).doesNotContain("method=\"post\"");
        assertThat(admin.open("endpoints/shop").html()).doesNotContain("method=\"post\"", "/edit");
        assertThat(admin.open("new-endpoint").text()).contains("The console has no page here.");
        assertThat(admin.open("endpoints/shop/edit").html()).doesNotContain("method=\"post\"");
    }
}
