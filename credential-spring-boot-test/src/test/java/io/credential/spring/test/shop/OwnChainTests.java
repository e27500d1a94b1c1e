package io.credential.spring.test.shop;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.ScopeAuthorizationManager;

import static io.credential.spring.test.CredentialRequestPostProcessors.apiKey;
import static org.assertj.core.api.Assertions.assertThat;

/** Mock keys in a chain of the application that keeps no sessions and has several mechanisms; without a registry. */
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

    @TestConfiguration(proxyBeanMethods = false)
    static class Chain {

        @Bean
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
