package io.credential.spring.security;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.DelegatingAuthenticationEntryPoint;
import org.springframework.security.web.authentication.HttpStatusEntryPoint;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpServletResponse;

import io.credential.testing.Patience;

import static io.credential.spring.security.FakeRegistries.token;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Whoever presents a key is never asked for another credential, whichever part of the application fails, and when. */
class KeyedChallengeTests {

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(Host.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void issue() {
        application.registries().issue("live", "orders:read");
    }

    @ParameterizedTest
    @CsvSource({
        "browser, future", "browser, join", "browser, callable", "browser, throws",
        "bearer, future", "bearer, join", "bearer, callable", "bearer, throws",
        "keys, future", "keys, join", "keys, callable", "keys, throws"
    })
    void failureWhenKeyIsPresentThenAsksForKey(String chain, String failing) {
        for (String accept : new String[] {"*/*", "text/html", "application/json"}) {
            HttpResponse<String> response =
                    application.get("/" + chain + "/" + failing, "X-API-Key", token("live"), "Accept", accept);

            assertThat(response.statusCode()).as(accept).isEqualTo(401);
            assertThat(response.headers().allValues("WWW-Authenticate")).containsExactly("ApiKey realm=\"api\"");
            assertThat(response.body()).contains("\"code\":\"api-key/unauthorized\"");
        }
    }

    @ParameterizedTest
    @CsvSource({"browser, denied", "bearer, denied", "keys, denied", "browser, factor"})
    void denialWhenKeyIsPresentThenNamesKey(String chain, String failing) {
        HttpResponse<String> response =
                application.get("/" + chain + "/" + failing, "X-API-Key", token("live"), "Accept", "text/html");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("\"code\":\"api-key/");
        assertThat(response.headers().map()).doesNotContainKeys("www-authenticate", "location");
    }

    @ParameterizedTest
    @ValueSource(strings = {"written", "streamed"})
    void failureWhenBodyHasBegunThenReplacesIt(String failing) {
        HttpResponse<String> response = application.get("/keys/" + failing, "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).startsWith("{\"title\":\"Unauthorized\"");
    }

    @Test
    void failureWhenUserIsPresentThenAsksForPassword() {
        String basic = "Basic " + Base64.getEncoder().encodeToString("user:password".getBytes(UTF_8));

        HttpResponse<String> response = application.get("/browser/future", "Authorization", basic);

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(challenge -> assertThat(challenge).startsWith("Basic"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "delegating"})
    void failureWhenEntryPointIsSetThenItAnswers(String chain) {
        assertThat(application
                        .get("/" + chain + "/future", "X-API-Key", token("live"))
                        .statusCode())
                .isEqualTo(423);
    }

    @RestController
    static class Failures {

        private final AsyncOrders orders;

        Failures(AsyncOrders orders) {
            this.orders = orders;
        }

        @GetMapping("/{chain}/future")
        CompletableFuture<String> future(@PathVariable("chain") String chain) {
            return orders.list();
        }

        @GetMapping("/{chain}/join")
        String join(@PathVariable("chain") String chain) throws Exception {
            return Patience.get(orders.list());
        }

        @GetMapping("/{chain}/callable")
        Callable<String> callable(@PathVariable("chain") String chain) {
            return () -> join(chain);
        }

        @GetMapping("/{chain}/throws")
        String fails(@PathVariable("chain") String chain) {
            throw new BadCredentialsException("another service rejected the password");
        }

        @GetMapping("/{chain}/written")
        void written(@PathVariable("chain") String chain, HttpServletResponse response) throws IOException {
            response.getWriter().write("partial");
            fails(chain);
        }

        @GetMapping("/{chain}/streamed")
        void streamed(@PathVariable("chain") String chain, HttpServletResponse response) throws IOException {
            response.getOutputStream().print("partial");
            fails(chain);
        }

        @GetMapping("/{chain}/denied")
        @RequiresScope("orders:write")
        String denied(@PathVariable("chain") String chain) {
            return "not reached";
        }

        @GetMapping("/{chain}/factor")
        String factor(@PathVariable("chain") String chain) {
            return "not reached";
        }
    }

    /** Runs in a thread without the caller's security context. */
    static class AsyncOrders {

        @Async
        @RequiresScope("orders:read")
        public CompletableFuture<String> list() {
            return CompletableFuture.completedFuture("orders");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @EnableAsync
    @Import({Failures.class, AsyncOrders.class})
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        JwtDecoder jwtDecoder() {
            return token -> {
                throw new BadJwtException("no token is valid");
            };
        }

        @Bean
        SecurityFilterChain browser(HttpSecurity http) {
            http.formLogin(Customizer.withDefaults()).httpBasic(Customizer.withDefaults());
            return authorized(http, "/browser/**").build();
        }

        @Bean
        SecurityFilterChain bearer(HttpSecurity http) {
            return authorized(http, "/bearer/**")
                    .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
                    .build();
        }

        @Bean
        SecurityFilterChain keys(HttpSecurity http) {
            return authorized(http, "/keys/**").build();
        }

        @Bean
        SecurityFilterChain own(HttpSecurity http) {
            return authorized(http, "/own/**")
                    .httpBasic(AbstractHttpConfigurer::disable)
                    .exceptionHandling(
                            errors -> errors.authenticationEntryPoint(new HttpStatusEntryPoint(HttpStatus.LOCKED)))
                    .build();
        }

        @Bean
        @SuppressWarnings("UnnecessaryMethodReference") // it differs from the class of the default entry point
        SecurityFilterChain delegating(HttpSecurity http) {
            AuthenticationEntryPoint locked = new HttpStatusEntryPoint(HttpStatus.LOCKED);
            AuthenticationEntryPoint entryPoint = DelegatingAuthenticationEntryPoint.builder()
                    .addEntryPointFor(locked, request -> true)
                    .defaultEntryPoint(new HttpStatusEntryPoint(HttpStatus.GONE))
                    .build();
            return authorized(http, "/delegating/**")
                    .exceptionHandling(errors -> errors.authenticationEntryPoint(entryPoint::commence))
                    .build();
        }

        private static HttpSecurity authorized(HttpSecurity http, String paths) {
            return http.securityMatcher(paths)
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/*/factor")
                            .hasAuthority("FACTOR_PASSWORD")
                            .anyRequest()
                            .authenticated());
        }
    }
}
