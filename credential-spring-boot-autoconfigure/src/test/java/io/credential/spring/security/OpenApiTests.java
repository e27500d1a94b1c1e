package io.credential.spring.security;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springdoc.core.configuration.SpringDocConfiguration;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.webmvc.core.configuration.SpringDocWebMvcConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.security.SecurityScheme;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.apikey.ApiKey;
import io.credential.spring.autoconfigure.openapi.OpenApiAutoConfiguration;
import io.credential.webhook.signature.VerifiedWebhook;

import static org.assertj.core.api.Assertions.assertThat;

/** The document that springdoc publishes over HTTP, because the library has no part that could be tested alone. */
class OpenApiTests {

    private static HostApplication application;
    private static JsonNode document;

    @BeforeAll
    static void start() {
        application = HostApplication.start(Host.class, "credential.api-keys.header-name=X-Shop-Key");
        document = document(application, "");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void argumentWhenTrustedThenHidden() {
        assertThat(document.at("/paths/~1api~1orders/get/parameters").isMissingNode())
                .isTrue();
        assertThat(document.at("/paths/~1api~1optional/get/parameters").findValuesAsString("name"))
                .containsExactly("page");
        assertThat(document.at("/paths/~1hooks~1partner/post/parameters").isMissingNode())
                .isTrue();
    }

    @Test
    void schemeThenNamesTheConfiguredHeader() {
        assertThat(document.at("/components/securitySchemes/apiKey")).isEqualTo(new JsonMapper().readTree("""
                        {"type": "apiKey", "name": "X-Shop-Key", "in": "header"}
                        """));
    }

    @Test
    void operationWhenChainAcceptsKeysThenNeedsOne() {
        assertThat(security("/api/orders", "get")).isEqualTo("[{\"apiKey\":[]}]");
        assertThat(security("/api/orders/{id}", "get")).isEqualTo("[{\"apiKey\":[]}]");
        assertThat(security("/api/optional", "get")).isEqualTo("[{\"apiKey\":[]}]");
    }

    @Test
    void operationWhenKeysAreNotUsedThenNeedsNone() {
        assertThat(security("/api/open", "get")).isEmpty();
        assertThat(security("/other", "get")).isEmpty();
        assertThat(security("/hooks/partner", "post")).isEmpty();
    }

    @Test
    void operationWhenApplicationDescribesItThenUnchanged() {
        assertThat(security("/api/own", "get")).isEqualTo("[{\"shop\":[]}]");
    }

    @Test
    void operationWhenOneOfScopesIsRequiredThenNamesThem() {
        assertThat(document.at("/paths/~1api~1export/get/responses/403/description")
                        .asString())
                .endsWith("required: orders:read, one of (export:all, export:csv)");
    }

    @Test
    void operationWhenScopeIsRequiredThenNamesIt() {
        JsonNode responses = document.at("/paths/~1api~1orders/get/responses");

        assertThat(responses.at("/403/description").asString()).endsWith("required: orders:read");
        assertThat(responses.at("/401/content").has("application/problem+json")).isTrue();
        assertThat(document.toString()).doesNotContain("x-credential");
    }

    @Test
    void schemeWhenApplicationHasOneThenItWins() {
        try (HostApplication own = HostApplication.start(OwnScheme.class)) {
            assertThat(document(own, "").at("/components/securitySchemes"))
                    .hasToString(
                            "{\"apiKey\":{\"type\":\"apiKey\",\"description\":\"ours\",\"name\":\"X-API-Key\",\"in\":\"header\"}}");
        }
    }

    @Test
    void operationWhenServletHasPrefixThenNeedsKey() {
        try (HostApplication prefixed = HostApplication.start(
                Host.class, "spring.mvc.servlet.path=/app", "credential.api-keys.accept-bearer=true")) {
            JsonNode described = document(prefixed, "/app");
            JsonNode paths = described.get("paths");

            assertThat(paths.at("/~1api~1orders~1{id}/get/security").isArray()).isTrue();
            assertThat(paths.at("/~1api~1open/get/security").isMissingNode()).isTrue();
            assertThat(paths.at("/~1api~1orders~1{id}/get/security"))
                    .as("either the header or a bearer token")
                    .hasToString("[{\"apiKey\":[]},{\"apiKeyBearer\":[]}]");
            assertThat(described.at("/components/securitySchemes/apiKeyBearer"))
                    .hasToString("{\"type\":\"http\",\"scheme\":\"bearer\"}");
        }
    }

    private static String security(String path, String method) {
        JsonNode security = document.get("paths").get(path).get(method).get("security");
        return security == null ? "" : security.toString();
    }

    private static JsonNode document(HostApplication application, String prefix) {
        return new JsonMapper()
                .readTree(application.get(prefix + "/v3/api-docs").body());
    }

    @RestController
    static class Orders {

        @GetMapping("/api/orders")
        @RequiresScope("orders:read")
        List<String> list(ApiKey caller) {
            return List.of();
        }

        @GetMapping("/api/export")
        @RequiresScope(
                value = "orders:read",
                anyOf = {"export:csv", "export:all"})
        String export() {
            return "export";
        }

        @GetMapping("/api/orders/{id}")
        String get(@PathVariable("id") String id) {
            return id;
        }

        @GetMapping("/api/optional")
        List<String> optional(Optional<ApiKey> caller, @RequestParam("page") int page) {
            return List.of();
        }

        @GetMapping("/api/open")
        String open() {
            return "open";
        }

        @GetMapping("/api/own")
        @SecurityRequirement(name = "shop")
        String own() {
            return "own";
        }

        @GetMapping("/other")
        @RequiresScope("orders:read")
        String other() {
            return "other";
        }

        @PostMapping("/hooks/partner")
        void webhook(VerifiedWebhook webhook) {}
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @ImportAutoConfiguration({
        SpringDocConfiguration.class,
        SpringDocConfigProperties.class,
        SpringDocWebMvcConfiguration.class,
        OpenApiAutoConfiguration.class
    })
    @Import(Orders.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return http.securityMatcher("/api/**", "/app/api/**", "/hooks/**")
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/api/open", "/app/api/open")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Host.class)
    static class OwnScheme {

        @Bean
        OpenAPI openApi() {
            return new OpenAPI()
                    .components(new Components()
                            .addSecuritySchemes(
                                    "apiKey",
                                    new SecurityScheme()
                                            .type(SecurityScheme.Type.APIKEY)
                                            .in(SecurityScheme.In.HEADER)
                                            .name("X-API-Key")
                                            .description("ours")));
        }
    }
}
