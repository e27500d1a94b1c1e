package io.credential.spring.security;

import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** A browser that is logged in by form and sends keys as well. */
class SessionTests {

    private static final Pattern CSRF = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

    private static HostApplication application;

    private final HttpClient browser = HostApplication.browser();

    @BeforeAll
    static void start() {
        application = HostApplication.start(Host.class);
        application.registries().issue("live", "orders:read");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void logIn() {
        logIn(application, browser);
    }

    private static void logIn(HostApplication application, HttpClient browser) {
        Matcher csrf = CSRF.matcher(
                HostApplication.send(browser, application.request("/login")).body());
        assertThat(csrf.find()).isTrue();
        String form =
                "username=admin&password=secret&_csrf=" + URLEncoder.encode(csrf.group(1), StandardCharsets.UTF_8);
        HttpResponse<String> response = HostApplication.send(
                browser,
                application
                        .request("/login")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form)));
        assertThat(response.headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).doesNotContain("login"));
        assertThat(name(application, browser)).isEqualTo("admin");
    }

    private static String name(HttpClient browser) {
        return name(application, browser);
    }

    private static String name(HostApplication application, HttpClient browser) {
        return HostApplication.send(browser, application.request("/name")).body();
    }

    @Test
    void keyThenTakesNothingOverFromTheSession() {
        HttpResponse<String> response = HostApplication.send(
                browser, application.request("/authorities").header("X-API-Key", token("live")));

        assertThat(response.body()).isEqualTo("[\"FACTOR_API_KEY\",\"SCOPE_orders:read\"]");
    }

    @Test
    void keyWhenOnlyTheSessionHasTheScopeThenForbidden() {
        HttpResponse<String> response = HostApplication.send(
                browser,
                application
                        .request("/orders")
                        .header("X-API-Key", token("live"))
                        .POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("\"missingScopes\":[\"orders:write\"]");
    }

    @Test
    void keyWhenRefusedThenNotReplacedByTheSession() {
        HttpResponse<String> response =
                HostApplication.send(browser, application.request("/name").header("X-API-Key", "unknown"));

        assertThat(response.statusCode()).isEqualTo(401);
    }

    @Test
    void sessionWhenRequestHasKeyThenStaysTheSame() {
        HttpResponse<String> accepted =
                HostApplication.send(browser, application.request("/name").header("X-API-Key", token("live")));
        assertThat(accepted.headers().allValues("Set-Cookie"))
                .as("no new session id")
                .isEmpty();
        HostApplication.send(browser, application.request("/name").header("X-API-Key", "unknown"));

        assertThat(name(browser)).isEqualTo("admin");
        assertThat(HostApplication.send(browser, application.request("/authorities"))
                        .body())
                .contains("SCOPE_orders:write")
                .doesNotContain("API_KEY");
    }

    @Test
    void keyWhenChainSavesContextsThenNoSession() {
        try (HostApplication saving = HostApplication.start(SavingHost.class)) {
            saving.registries().issue("live");

            HttpResponse<String> response = saving.get("/name", "X-API-Key", token("live"));

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"bk_live_0011223344556677_00112233445566778899aabbccddeeff, 200", "unknown, 401"})
    void keyWhenChainSavesContextsThenUserStays(String key, int status) {
        try (HostApplication saving = HostApplication.start(SavingHost.class)) {
            saving.registries().issue("live");
            logIn(saving, browser);

            HttpResponse<String> response =
                    HostApplication.send(browser, saving.request("/name").header("X-API-Key", key));

            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(name(saving, browser)).isEqualTo("admin");
        }
    }

    private static HttpRequest.Builder post(String path, String key, String form) {
        return application
                .request(path)
                .header("X-API-Key", key)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form));
    }

    @ParameterizedTest
    @ValueSource(strings = {"junk", "bk_live_0011223344556677_00112233445566778899aabbccddeeff"})
    void logoutWhenRequestHasKeyThenSessionGoesOn(String key) {
        HttpResponse<String> response = HostApplication.send(browser, post("/logout", key, ""));

        assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(name(browser)).isEqualTo("admin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"junk", "bk_live_0011223344556677_00112233445566778899aabbccddeeff"})
    void loginWhenRequestHasKeyThenRefused(String key) {
        HttpResponse<String> response =
                HostApplication.send(HostApplication.browser(), post("/login", key, "username=admin&password=secret"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("ApiKey realm=\"api\"");
        assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
    }

    @Test
    void applicationWhenRequestHasKeyThenFindsTheSession() {
        HttpResponse<String> response =
                HostApplication.send(browser, application.request("/session").header("X-API-Key", token("live")));

        assertThat(response.body()).isEqualTo("session");
    }

    @Test
    void sessionWhenKeyIsMissingThenNeedsCsrfToken() {
        HttpResponse<String> response =
                HostApplication.send(browser, application.request("/orders").POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).doesNotContain("api-key/");
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(OrdersController.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(User.withUsername("admin")
                    .password("{noop}secret")
                    .authorities("SCOPE_orders:read", "SCOPE_orders:write")
                    .build());
        }
    }

    /** At the end of a request, its context is saved in the session. */
    @Configuration(proxyBeanMethods = false)
    @Import(Host.class)
    static class SavingHost {

        @Bean
        SecurityFilterChain saving(HttpSecurity http) {
            return http.securityContext(contexts -> contexts.requireExplicitSave(false))
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .build();
        }
    }
}
