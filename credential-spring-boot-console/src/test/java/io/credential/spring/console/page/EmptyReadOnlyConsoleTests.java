package io.credential.spring.console.page;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.spring.console.internal.web.ConsoleHandlerMapping;
import io.credential.spring.console.internal.web.ConsoleHandlerMapping.Target;
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
    private final ConsoleHandlerMapping mapping;

    EmptyReadOnlyConsoleTests(
            @Autowired MockMvc mvc, @Autowired ApplicationContext context, @Autowired WebhookDispatcher dispatcher) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.mapping = context.getBean(ConsoleHandlerMapping.class); // which no bean may be given
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

    @Test
    void routesWhenReadOnlyThenHaveNoActionOrForm() {
        assertThat(mapping.targets())
                .filteredOn(target -> target.method().equals(HttpMethod.POST))
                .extracting(Target::pattern)
                .containsExactly("/credential/keys/search");
        assertThat(mapping.targets())
                .extracting(Target::pattern)
                .doesNotContain(
                        "/credential/new-endpoint",
                        "/credential/keys/new",
                        "/credential/deliveries/retry",
                        "/credential/endpoints/{id}/edit");
    }

    @Test
    void keySearchWhenReadOnlyThenExists() {
        assertThat(admin.send("keys/search", "owner", "nobody").status()).isEqualTo(200);
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
