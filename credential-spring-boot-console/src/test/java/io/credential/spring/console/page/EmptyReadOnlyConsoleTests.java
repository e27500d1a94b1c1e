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

    @Test
    void pagesWhenReadOnlyThenHaveNoForms() {
        assertThat(admin.open("endpoints").html()).contains("shop").doesNotContain("method=\"post\"", "new-endpoint");
        assertThat(admin.open("endpoints/shop").html()).doesNotContain("method=\"post\"", "/edit");
        assertThat(admin.open("new-endpoint").text()).contains("The console has no page here.");
        assertThat(admin.open("endpoints/shop/edit").html()).doesNotContain("method=\"post\"");
    }
}
