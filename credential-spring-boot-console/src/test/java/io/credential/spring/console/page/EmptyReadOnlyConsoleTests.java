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

/** Has another context: routes and the catalogue are fixed at startup. */
@PageTest
@Import(EmptyReadOnlyConsoleTests.NoEventTypes.class)
@TestPropertySource(properties = "credential.console.read-only=true")
class EmptyReadOnlyConsoleTests {

    private final ConsoleVisitor admin;

    EmptyReadOnlyConsoleTests(@Autowired MockMvc mvc, @Autowired WebhookDispatcher dispatcher) {
        this.admin = ConsoleVisitor.admin(mvc);
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
                .contains("The catalogue has no event types yet", "@WebhookEvent(value = \"order.created\"");
    }

    @Test
    void keysWhenThereAreNoneThenShowsTheCode() {
        assertThat(admin.open("keys").text())
                .contains("No key was issued yet", "registry.issue(IssueRequest.forOwner(");
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
                "shop/pause",
                "shop/resume",
                "shop/test",
                "shop/replay",
                "shop/rotate",
                "shop/remove",
                "shop/edit",
                "new"
            })
    void actionWhenReadOnlyThenDoesNotExist(String action) {
        assertThat(admin.send("endpoints/" + action, "confirm", "shop").status())
                .isIn(404, 405);
    }

    @Test
    void pagesWhenReadOnlyThenHaveNoForms() {
        assertThat(admin.open("endpoints").html()).contains("shop").doesNotContain("method=\"post\"", "endpoints/new");
        assertThat(admin.open("keys").html()).doesNotContain("keys/new");
        assertThat(admin.open("audit").html()).doesNotContain("method=\"post\"");
        assertThat(admin.open("endpoints/shop").html()).doesNotContain("method=\"post\"", "/edit");
        assertThat(admin.open("endpoints/new").text()).contains("The console is read-only");
        assertThat(admin.open("endpoints/shop/edit").html()).doesNotContain("method=\"post\"");
    }
}
