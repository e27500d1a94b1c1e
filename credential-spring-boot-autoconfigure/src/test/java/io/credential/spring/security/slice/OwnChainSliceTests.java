package io.credential.spring.security.slice;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.ScopeAuthorizationManager;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** The chain of the documentation in a slice that brings no registries: it starts, and refuses keys. */
@WebMvcTest
@Import({SliceApplication.SliceController.class, OwnChainSliceTests.Chain.class})
@TestPropertySource(properties = "credential.api-keys.registries.live.prefix=bk")
class OwnChainSliceTests {

    @Autowired
    private MockMvcTester mvc;

    @MockitoBean
    private SliceApplication.Warehouse warehouse;

    @Test
    void keyWhenThereAreNoRegistriesThen401() {
        assertThat(mvc.get().uri("/whoami").header("X-API-Key", token("live")))
                .hasStatus(401)
                .hasHeader("WWW-Authenticate", "ApiKey realm=\"api\"");
    }

    @Test
    void noKeyThen401WithoutSession() {
        assertThat(mvc.get().uri("/whoami"))
                .hasStatus(401)
                .satisfies(result ->
                        assertThat(result.getRequest().getSession(false)).isNull());
    }

    @Configuration(proxyBeanMethods = false)
    static class Chain {

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return http.with(ApiKeyConfigurer.apiKeys(), keys -> keys.registries("live"))
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET, "/orders")
                            .access(ScopeAuthorizationManager.hasScope("orders:read"))
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }
}
