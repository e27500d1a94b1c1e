package io.credential.spring.test.shop;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.ScopeAuthorizationManager;

import static io.credential.spring.test.CredentialRequestPostProcessors.apiKey;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mock keys in chains of the application, which has no registry: a stateless chain with several mechanisms, one with sessions,
 * and one with another repository of security contexts.
 */
@WebMvcTest
class OwnChainTests {

    @Autowired
    private MockMvcTester mvc;

    @Test
    void apiKeyWhenChainAllowsItThenAccepted() {
        assertThat(mvc.get().uri("/orders").with(apiKey().scopes("orders:read")))
                .hasStatusOk();
    }

    @Test
    void apiKeyWhenChainDeniesItThenProblem() {
        assertThat(mvc.get().uri("/orders").with(apiKey()))
                .hasStatus(403)
                .bodyJson()
                .extractingPath("$.missingScopes")
                .asArray()
                .containsExactly("orders:read");
    }

    @Test
    void apiKeyWhenChainHasItsOwnRepositoryThenAccepted() {
        assertThat(mvc.get().uri("/caller").with(apiKey().ownerId("shop-7")))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.name")
                .isEqualTo("shop-7");
    }

    @Test
    void apiKeyWhenSessionIsLoggedInThenReplacesUser() {
        MockHttpSession session = new MockHttpSession();
        session.setAttribute(
                HttpSessionSecurityContextRepository.SPRING_SECURITY_CONTEXT_KEY,
                new SecurityContextImpl(new TestingAuthenticationToken("admin", "a password", List.of())));

        assertThat(mvc.get().uri("/key").session(session).with(apiKey().ownerId("shop-7")))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.ownerId")
                .isEqualTo("shop-7");
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        @Order(1)
        SecurityFilterChain own(HttpSecurity http) {
            return http.securityMatcher("/caller")
                    .with(ApiKeyConfigurer.apiKeys(), keys -> keys.registries("live"))
                    .securityContext(
                            contexts -> contexts.securityContextRepository(new NullSecurityContextRepository()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain browser(HttpSecurity http) {
            return http.securityMatcher("/key")
                    .with(ApiKeyConfigurer.apiKeys(), keys -> keys.registries("live"))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        @Order(3)
        SecurityFilterChain api(HttpSecurity http) {
            return http.with(ApiKeyConfigurer.apiKeys(), keys -> keys.registries("live"))
                    .exceptionHandling(errors -> errors.defaultAccessDeniedHandlerFor(
                            new AccessDeniedHandlerImpl(),
                            request -> request.getRequestURI().startsWith("/elsewhere")))
                    .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET, "/orders")
                            .access(ScopeAuthorizationManager.hasScope("orders:read"))
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }
}
