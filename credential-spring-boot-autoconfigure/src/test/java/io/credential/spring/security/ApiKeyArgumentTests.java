package io.credential.spring.security;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKey;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** An ApiKey in a controller is the key of the request, never something that the caller wrote into a parameter. */
class ApiKeyArgumentTests {

    private static final String FORGED = "?id=forged&namespace=live&prefix=bk&ownerId=admin&scopes=keys:admin"
            + "&createdAt=2026-01-01T00:00:00Z&usedSecondary=false&key.ownerId=admin";
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("user:password".getBytes(StandardCharsets.UTF_8));

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(Host.class);
        application.registries().issue("live");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/required", "/model", "/optional", "/principal"})
    void argumentWhenKeyIsPresentThenThatKey(String path) {
        HttpResponse<String> response = application.get(path + FORGED, "X-API-Key", token("live"));

        assertThat(response.body()).isEqualTo("owner-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/required", "/model"})
    void requiredWhenNobodyIsAuthenticatedThen401(String path) {
        HttpResponse<String> response = application.get(path + FORGED, "Accept", "application/json");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).doesNotContain("admin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/required", "/model"})
    void requiredWhenAuthenticatedOtherwiseThen403(String path) {
        assertThat(application.get(path + FORGED, "Authorization", BASIC).statusCode())
                .isEqualTo(403);
    }

    @Test
    void optionalWhenThereIsNoKeyThenEmpty() {
        assertThat(application.get("/optional" + FORGED).body()).isEqualTo("nobody");
        assertThat(application.get("/optional" + FORGED, "Authorization", BASIC).body())
                .isEqualTo("nobody");
    }

    @RestController
    static class ArgumentController {

        @GetMapping("/required")
        String required(ApiKey key) {
            return key.ownerId();
        }

        @GetMapping("/model")
        String model(@ModelAttribute ApiKey key) {
            return key.ownerId();
        }

        @GetMapping("/optional")
        String optional(Optional<ApiKey> key) {
            return key.map(ApiKey::ownerId).orElse("nobody");
        }

        @GetMapping("/principal")
        String principal(@AuthenticationPrincipal ApiKey key) {
            return key.ownerId();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(ArgumentController.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        SecurityFilterChain open(HttpSecurity http) {
            return http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }
}
