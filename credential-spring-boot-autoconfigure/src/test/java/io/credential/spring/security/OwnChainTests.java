package io.credential.spring.security;

import java.net.http.HttpResponse;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;

import static io.credential.spring.security.FakeRegistries.token;
import static io.credential.spring.security.ScopeAuthorizationManager.hasScope;
import static org.assertj.core.api.Assertions.assertThat;

/** An application that writes its own chains: one as the starter finds it, and some that say what they want. */
class OwnChainTests {

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class, "credential.api-keys.accept=live,test", "credential.api-keys.install-in=every-chain");
        application.registries().issue("live", "orders:read");
        application.registries().issue("test", "orders:read");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void chainWhenItNamesNoneThenConfiguredRegistries() {
        assertThat(application.get("/whoami", "X-API-Key", token("live")).statusCode())
                .isEqualTo(200);
        assertThat(application.get("/whoami", "X-API-Key", token("test")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void missingKeyWhenKeysAreTheOnlyMechanismThenChallenge() {
        HttpResponse<String> response = application.get("/whoami", "Accept", "text/html");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("ApiKey realm=\"api\"");
        assertThat(response.body()).contains("\"code\":\"api-key/unauthorized\"");
    }

    @Test
    void missingKeyWhenKeysAreTheOnlyMechanismThenNoSession() {
        HttpResponse<String> response = application.get("/live/whoami", "Accept", "text/html");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
    }

    @Test
    void keyWhenItsRegistryIsNotNamedThenRefusedUnverified() {
        int before = application.registries().verifications();

        assertThat(application.get("/live/whoami", "X-API-Key", token("live")).statusCode())
                .isEqualTo(200);
        assertThat(application.get("/live/whoami", "X-API-Key", token("test")).statusCode())
                .isEqualTo(401);
        assertThat(application.registries().verifications())
                .as("the foreign registry is not even asked")
                .isEqualTo(before + 1);
    }

    @Test
    void installationWhenExplicitThenReplacesAutomaticOne() {
        List<Long> filters = application.context().getBean(FilterChainProxy.class).getFilterChains().stream()
                .map(chain -> chain.getFilters().stream()
                        .filter(ApiKeyAuthenticationFilter.class::isInstance)
                        .count())
                .toList();

        assertThat(filters).containsExactly(1L, 1L, 0L, 1L);
    }

    @Test
    void chainWhenItsHeaderIsAnotherThenTakesKeysThereOnly() {
        assertThat(application
                        .get("/partner/name", "X-Partner-Key", token("test"))
                        .body())
                .isEqualTo("owner-1");
        assertThat(application.get("/partner/name", "X-API-Key", token("test")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void chainWhenKeysAreDisabledThenKeyIsIgnored() {
        int before = application.registries().verifications();

        HttpResponse<String> response = application.get("/public/session", "X-API-Key", "whatever this is");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(application.registries().verifications()).isEqualTo(before);
    }

    @Test
    void keyWhenChainHasItsOwnManagerThenNotAskedAboutIt() {
        assertThat(application
                        .get("/partner/name", "X-Partner-Key", token("test"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void denialWhenChainDemandsScopesThenNamesMissingOnes() {
        HttpResponse<String> response = application.get("/live/orders", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("\"missingScopes\":[\"orders:audit\",\"orders:list\"]");
    }

    @Test
    void denialWhenChainDemandsAuthorityThenNamesScope() {
        HttpResponse<String> response = application.get("/live/authorities", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("\"missingScopes\":[\"authorities:read\"]");
    }

    @Test
    void denialWhenNotAboutScopesThenNamesNone() {
        HttpResponse<String> response = application.post("/live/orders", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("\"code\":\"api-key/forbidden\"").doesNotContain("missingScopes");
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import({OrdersController.class, PrefixedPaths.class})
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live", "test");
        }

        @Bean
        @Order(1)
        SecurityFilterChain live(HttpSecurity http) {
            return http.securityMatcher("/live/**")
                    .with(ApiKeyConfigurer.apiKeys(), keys -> keys.registries("live"))
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.POST, "/live/orders")
                            .hasRole("ADMIN")
                            .requestMatchers("/live/orders")
                            .access(hasScope("orders:read", "orders:list", "orders:audit"))
                            .requestMatchers("/live/authorities")
                            .hasAuthority("SCOPE_authorities:read")
                            .anyRequest()
                            .authenticated())
                    .build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain partner(HttpSecurity http) {
            return http.securityMatcher("/partner/**")
                    .with(
                            ApiKeyConfigurer.apiKeys(),
                            keys -> keys.registries("test").headerName("X-Partner-Key"))
                    .authenticationManager(authentication -> {
                        throw new BadCredentialsException("knows no keys");
                    })
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        @Order(3)
        SecurityFilterChain open(HttpSecurity http) {
            return http.securityMatcher("/public/**")
                    .with(ApiKeyConfigurer.apiKeys(), keys -> keys.disable())
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }

        @Bean
        @Order(4)
        SecurityFilterChain rest(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }
    }
}
