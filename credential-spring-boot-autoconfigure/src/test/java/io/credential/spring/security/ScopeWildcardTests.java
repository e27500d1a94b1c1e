package io.credential.spring.security;

import java.net.http.HttpResponse;
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
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.audit.AuditQueues;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** Keys with wildcards, and alternatives of scopes, in requests. */
class ScopeWildcardTests {

    private static HostApplication application;
    private static Host host;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "credential.api-keys.accept=wild,plain",
                "credential.api-keys.registries.wild.prefix=bk",
                "credential.api-keys.registries.plain.prefix=bk",
                "credential.api-keys.scopes.wildcards=true");
        host = application.context().getBean(Host.class);
        application.registries().issue("wild", "orders:*").issue("plain", "rule:c");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        AuditQueues.drain(application.context());
        host.audited.clear();
    }

    private static HttpResponse<String> get(String path, String namespace) {
        return application.get(path, "X-API-Key", token(namespace));
    }

    @Test
    void getWhenWildcardsAreEnabledThenGranted() {
        assertThat(get("/orders", "wild").statusCode()).isEqualTo(200);
        assertThat(application.post("/orders", "X-API-Key", token("wild")).statusCode())
                .isEqualTo(200);
        assertThat(get("/orders", "plain").statusCode()).isEqualTo(403);
    }

    @Test
    void authoritiesThenAreTheScopesAsTheyStand() {
        assertThat(get("/authorities", "wild").body())
                .contains("SCOPE_orders:*")
                .doesNotContain("SCOPE_orders:read");
    }

    @Test
    void getWhenOneAlternativeIsHeldThenOk() {
        assertThat(get("/either", "plain").statusCode()).isEqualTo(200);
    }

    @Test
    void getWhenNoAlternativeIsHeldThenNamesThem() {
        HttpResponse<String> response = get("/either", "wild");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body())
                .isEqualTo("{\"title\":\"Forbidden\",\"status\":403,"
                        + "\"detail\":\"This API key lacks one of the scopes rule:c, rule:d\","
                        + "\"code\":\"api-key/insufficient-scope\","
                        + "\"missingScopes\":[],\"missingAnyOf\":[[\"rule:c\",\"rule:d\"]]}");
    }

    @Test
    void getWhenBothAreMissingThenNamesBoth() {
        assertThat(get("/both", "wild").body())
                .contains("\"detail\":\"This API key lacks the scope rule:a, and one of the scopes rule:c, rule:d\"")
                .contains("\"missingScopes\":[\"rule:a\"],\"missingAnyOf\":[[\"rule:c\",\"rule:d\"]]");
        assertThat(get("/both", "plain").body())
                .contains("\"missingScopes\":[\"rule:a\"]}")
                .doesNotContain("missingAnyOf");
    }

    @Test
    void getWhenAlternativesAreMissingThenAudited() {
        get("/both", "wild");

        AuditQueues.drain(application.context());
        assertThat(host.audited).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("insufficient-scope");
            assertThat(event.attributes())
                    .isEqualTo(Map.of(
                            "handler",
                            Rules.class.getName() + ".both",
                            "missingScopes",
                            List.of("rule:a"),
                            "missingAnyOf",
                            List.of("rule:c or rule:d")));
        });
    }

    @RestController
    static class Rules {

        @GetMapping("/either")
        @RequiresScope(anyOf = {"rule:d", "rule:c"})
        String either() {
            return "either";
        }

        @GetMapping("/both")
        @RequiresScope(
                value = "rule:a",
                anyOf = {"rule:d", "rule:c"})
        String both() {
            return "both";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import({OrdersController.class, Rules.class})
    static class Host {

        private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("wild", "plain");
        }

        @Bean
        AuditSink auditSink() {
            return audited::add;
        }
    }
}
