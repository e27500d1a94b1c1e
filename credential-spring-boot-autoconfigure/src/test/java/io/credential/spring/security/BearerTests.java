package io.credential.spring.security;

import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.introspection.BadOpaqueTokenException;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Keys as bearer tokens in one chain, access tokens in another, and both in a third that does not accept the former. */
class BearerTests {

    private static final String ACCESS_TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1In0.";

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(Host.class, "credential.api-keys.accept-bearer=true");
        application.registries().issue("live", "orders:read");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static HttpResponse<String> get(String path, String bearer) {
        return application.get(path, "Authorization", "Bearer " + bearer);
    }

    private static List<String> challenges(HttpResponse<String> response) {
        return response.headers().allValues("WWW-Authenticate");
    }

    @Test
    void keyWhenBearerThenAuthenticates() {
        assertThat(get("/keys/orders", token("live")).body()).isEqualTo("orders");
        assertThat(application
                        .get("/keys/orders", "Authorization", "ApiKey " + token("live"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void keyWhenBearerThenNeedsNoCsrfToken() {
        HttpResponse<String> denied = application.post("/keys/orders", "Authorization", "Bearer " + token("live"));

        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.body()).contains("\"missingScopes\":[\"orders:write\"]");
        assertThat(challenges(denied))
                .containsExactly("Bearer realm=\"api\", error=\"insufficient_scope\", scope=\"orders:write\"");
    }

    @Test
    void denialWhenKeyIsInItsHeaderThenNoBearerChallenge() {
        HttpResponse<String> denied = application.post("/keys/orders", "X-API-Key", token("live"));

        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(challenges(denied)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {ACCESS_TOKEN, "reader", "bk_live_0011223344556677_00", "", "x"})
    void bearerWhenNotAKeyThenInvalidToken(String token) {
        HttpResponse<String> response = get("/keys/orders", token);

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(challenges(response))
                .containsExactly("ApiKey realm=\"api\"", "Bearer realm=\"api\", error=\"invalid_token\"");
        assertThat(response.body()).contains("\"code\":\"api-key/unauthorized\"");
    }

    @Test
    void bearerWhenLongerThanAnyKeyThenInvalidToken() {
        HttpResponse<String> response = get("/keys/orders", ACCESS_TOKEN + "x".repeat(1000));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(challenges(response)).anyMatch(challenge -> challenge.contains("invalid_token"));
    }

    @Test
    void bearerWhenKeyIsBesideItThenRefusedWithoutError() {
        HttpResponse<String> response =
                application.get("/keys/orders", "Authorization", "Bearer " + token("live"), "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(challenges(response)).containsExactly("ApiKey realm=\"api\"", "Bearer realm=\"api\"");
    }

    @Test
    void requestWhenWithoutCredentialThenBothChallenges() {
        HttpResponse<String> response = application.get("/keys/orders");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(challenges(response)).containsExactly("ApiKey realm=\"api\"", "Bearer realm=\"api\"");
    }

    @Test
    void chainWhenResourceServerThenAccessTokensOnly() {
        assertThat(get("/tokens/orders", "reader").body()).isEqualTo("orders");
        assertThat(get("/tokens/orders", token("live")).statusCode()).isEqualTo(401);
        assertThat(application.get("/tokens/orders", "X-API-Key", token("live")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void chainWhenBearerIsOffThenKeysOnlyInHeader() {
        assertThat(get("/both/orders", "reader").statusCode()).isEqualTo(200);
        assertThat(application.get("/both/orders", "X-API-Key", token("live")).statusCode())
                .isEqualTo(200);

        HttpResponse<String> key = get("/both/orders", token("live"));
        assertThat(key.statusCode()).isEqualTo(401);
        assertThat(challenges(key)).singleElement().asString().startsWith("Bearer error=\"invalid_token\"");
        assertThat(key.body()).doesNotContain("api-key/");
        assertThat(challenges(application.get("/both/orders", "X-API-Key", "wrong")))
                .containsExactly("ApiKey realm=\"api\"");
    }

    @ParameterizedTest
    @ValueSource(classes = {ResourceServer.class, FilterOfResourceServer.class})
    void startWhenChainIsResourceServerTooThenFails(Class<?> host) {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> HostApplication.start(host).close())
                .withMessageContainingAll(
                        "/api/**",
                        "is also an OAuth 2 resource server",
                        "keys.acceptBearer(false)",
                        "another securityMatcher");
    }

    @Test
    void startWhenPropertyCoversResourceServerThenFails() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(
                        () -> HostApplication.start(OpaqueTokensFirst.class, "credential.api-keys.accept-bearer=true")
                                .close())
                .withMessageContainingAll("/api/**", "is also an OAuth 2 resource server");
    }

    @RestController
    static class Orders {

        @GetMapping({"/keys/orders", "/tokens/orders", "/both/orders"})
        @RequiresScope("orders:read")
        String list() {
            return "orders";
        }

        @PostMapping("/keys/orders")
        @RequiresScope("orders:write")
        String add() {
            return "added";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(Orders.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        @Order(1)
        SecurityFilterChain keys(HttpSecurity http) {
            return http.securityMatcher("/keys/**")
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain tokens(HttpSecurity http) {
            return http.securityMatcher("/tokens/**")
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        @Order(3)
        SecurityFilterChain both(HttpSecurity http) {
            return http.with(ApiKeyConfigurer.apiKeys(), keys -> keys.acceptBearer(false))
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        JwtDecoder decoder() {
            return token -> {
                if (!token.equals("reader")) {
                    throw new BadJwtException("not ours");
                }
                return Jwt.withTokenValue(token)
                        .header("alg", "none")
                        .subject("jwt")
                        .issuedAt(Instant.EPOCH)
                        .claim("scope", "orders:read")
                        .build();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    static class ResourceServer {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return http.securityMatcher("/api/**")
                    .with(ApiKeyConfigurer.apiKeys(), keys -> keys.acceptBearer(true))
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .build();
        }

        @Bean
        JwtDecoder decoder() {
            return token -> {
                throw new BadJwtException("not ours");
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    static class OpaqueTokensFirst {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return http.securityMatcher("/api/**")
                    .oauth2ResourceServer(server -> server.opaqueToken(opaque -> opaque.introspector(token -> {
                        throw new BadOpaqueTokenException("not ours");
                    })))
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    static class FilterOfResourceServer {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            AuthenticationManager nobody = authentication -> {
                throw new BadJwtException("not ours");
            };
            return http.securityMatcher("/api/**")
                    .with(ApiKeyConfigurer.apiKeys(), keys -> keys.acceptBearer(true))
                    .addFilterBefore(
                            new BearerTokenAuthenticationFilter(nobody) {}, AnonymousAuthenticationFilter.class)
                    .build();
        }
    }
}
