package io.credential.spring.security;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationManagers;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.audit.AuditQueues;

import static io.credential.spring.security.FakeRegistries.token;
import static io.credential.spring.security.ScopeAuthorizationManager.hasScope;
import static org.assertj.core.api.Assertions.assertThat;

/** A valid key without the scope leaves one audit event, wherever the scope is required. */
class ScopeRefusalTests {

    private static HostApplication application;
    private static Host host;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "credential.api-keys.registries.live.prefix=bk",
                "credential.api-keys.registries.quiet.audit-failures=false",
                "credential.api-keys.accept=live,quiet");
        host = application.context().getBean(Host.class);
        application.registries().issue("live", "other").issue("quiet", "other");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        host.audited.clear();
        host.sinkFails = false;
    }

    /** Events are recorded by the time that this returns. */
    private static int status(String path, String namespace) {
        int status = application.get(path, "X-API-Key", token(namespace)).statusCode();
        AuditQueues.drain(application.context());
        return status;
    }

    private static void assertAudited(String path, int status, Map<String, Object> attributes) {
        assertThat(status(path, "live")).isEqualTo(status);
        assertThat(host.audited).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("apikey.authorize");
            assertThat(event.outcome()).isEqualTo(AuditEvent.Outcome.FAILURE);
            assertThat(event.reason()).isEqualTo("insufficient-scope");
            assertThat(event.resourceKind()).isEqualTo("api-key");
            assertThat(event.resourceId()).isEqualTo("0011223344556677");
            assertThat(event.actor()).isEqualTo("api-key:0011223344556677");
            assertThat(event.attributes()).isEqualTo(attributes);
        });
    }

    @Test
    void controllerWhenScopeIsMissingThenAudited() {
        assertAudited(
                "/orders",
                403,
                Map.of("handler", OrdersController.class.getName() + ".list", "missingScopes", List.of("orders:read")));
    }

    @Test
    void serviceWhenScopeIsMissingThenAuditedOnce() {
        assertAudited(
                "/service",
                403,
                Map.of("handler", Stock.class.getName() + ".count", "missingScopes", List.of("stock:read")));
    }

    @Test
    void serviceWhenDenialIsCaughtThenAudited() {
        assertAudited(
                "/caught",
                200,
                Map.of("handler", Stock.class.getName() + ".count", "missingScopes", List.of("stock:read")));
    }

    @Test
    void chainWhenScopeIsMissingThenAudited() {
        assertAudited(
                "/ruled", 403, Map.of("method", "GET", "path", "/ruled", "missingScopes", List.of("rule:a", "rule:b")));
    }

    @Test
    void alternativeWhenAnotherRuleGrantsThenNotAudited() {
        assertThat(status("/either", "live")).isEqualTo(404);
        assertThat(host.audited).isEmpty();
    }

    @Test
    void sinkWhenItFailsThenTheAnswerIsTheSame() {
        host.sinkFails = true;

        assertThat(status("/orders", "live")).isEqualTo(403);
        assertThat(status("/ruled", "live")).isEqualTo(403);
    }

    @Test
    void registryWhenItAuditsNoFailuresThenSilent() {
        assertThat(status("/orders", "quiet")).isEqualTo(403);
        assertThat(status("/ruled", "quiet")).isEqualTo(403);
        assertThat(host.audited).isEmpty();
    }

    static class Stock {

        @RequiresScope("stock:read")
        String count() {
            return "1";
        }
    }

    @RestController
    static class StockController {

        private final Stock stock;

        StockController(Stock stock) {
            this.stock = stock;
        }

        @GetMapping("/service")
        String service() {
            return stock.count();
        }

        @GetMapping("/caught")
        String caught() {
            try {
                return stock.count();
            } catch (AuthorizationDeniedException denied) {
                return "none";
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import({OrdersController.class, StockController.class, Stock.class})
    static class Host {

        private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
        private volatile boolean sinkFails;

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live", "quiet");
        }

        @Bean
        AuditSink auditSink() {
            return event -> {
                audited.add(event);
                if (sinkFails) {
                    throw new IllegalStateException("The sink is full");
                }
            };
        }

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/ruled")
                            .access(hasScope("rule:a", "rule:b"))
                            .requestMatchers("/either")
                            .access(AuthorizationManagers.anyOf(hasScope("rule:a"), hasScope("other")))
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }
}
