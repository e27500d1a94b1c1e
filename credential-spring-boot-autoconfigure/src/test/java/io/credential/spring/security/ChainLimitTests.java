package io.credential.spring.security;

import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.ForwardedHeaderFilter;

import io.credential.ratelimit.RateLimit;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.testing.MutableClock;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** Limits of an application with two chains, without its own limiter, behind a proxy that it trusts. */
class ChainLimitTests {

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "credential.api-keys.failed-attempts.limit=3",
                "credential.api-keys.registries.live.prefix=bk");
        application.registries().issue("live", "orders:read");
        application.registries().get("live").limit(new RateLimit(2, Duration.ofSeconds(60)));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static int get(String path, String token, String client) {
        return application
                .get(path, "X-API-Key", token, "X-Forwarded-For", client, "X-Forwarded-Proto", "https")
                .statusCode();
    }

    @Test
    void getWhenThereAreTwoChainsThenOneLimitApplies() {
        String client = "192.0.2.1";
        assertThat(get("/whoami", token("live"), client)).isEqualTo(200);
        assertThat(get("/orders", token("live"), client)).isEqualTo(200);

        assertThat(get("/whoami", token("live"), client)).isEqualTo(429);
        assertThat(get("/orders", token("live"), client)).isEqualTo(429);
    }

    @Test
    void getWhenAnIpv6NetworkIsForwardedThenItIsOneClient() {
        for (int i = 1; i <= 3; i++) {
            assertThat(get("/orders", "nonsense", "2001:db8:1:2::" + i)).isEqualTo(401);
        }

        assertThat(get("/orders", "nonsense", "2001:db8:1:2::4")).isEqualTo(429);
        assertThat(get("/orders", "nonsense", "[2001:db8:1:2::5]:4711")).isEqualTo(429);
        assertThat(get("/orders", "nonsense", "2001:db8:1:3::1")).isEqualTo(401);
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(OrdersController.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        /** Stands still, so that no window ends. */
        @Bean
        @CredentialClock
        MutableClock clock() {
            return MutableClock.atNewYear();
        }

        @Bean
        FilterRegistrationBean<ForwardedHeaderFilter> forwardedHeaders() {
            FilterRegistrationBean<ForwardedHeaderFilter> filter =
                    new FilterRegistrationBean<>(new ForwardedHeaderFilter());
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }

        @Bean
        @Order(1)
        SecurityFilterChain orders(HttpSecurity http) {
            return http.securityMatcher("/orders")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain others(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .build();
        }
    }
}
