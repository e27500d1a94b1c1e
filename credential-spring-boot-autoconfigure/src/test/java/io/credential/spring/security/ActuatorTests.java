package io.credential.spring.security;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.actuate.web.exchanges.InMemoryHttpExchangeRepository;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

import io.credential.testing.Patience;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** All that the starters bring, Actuator with its own chain included. */
class ActuatorTests {

    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("user:password".getBytes(StandardCharsets.UTF_8));

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class, "management.endpoints.web.exposure.include=health,info,httpexchanges,loggers");
        application.registries().issue("live", "orders:read");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void healthWhenKeyIsMissingThenStaysOpen() {
        HttpResponse<String> response = application.get("/actuator/health");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("UP");
    }

    @Test
    void otherEndpointWhenKeyIsMissingThenBasicChallenge() {
        HttpResponse<String> response = application.get("/actuator/info", "Accept", "application/json");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().allValues("WWW-Authenticate"))
                .singleElement()
                .asString()
                .startsWith("Basic");
    }

    @Test
    void keyThenAcceptedOutsideEndpointsOnly() {
        assertThat(application.get("/orders", "X-API-Key", token("live")).statusCode())
                .isEqualTo(200);
        assertThat(application
                        .get("/actuator/info", "X-API-Key", token("live"), "Accept", "application/json")
                        .statusCode())
                .isEqualTo(401);
    }

    /** A browser adds the credentials of Basic authentication to requests that pages of other sites send. */
    @Test
    void changeWhenSentByAnotherSiteThenRejected() {
        HttpResponse<String> response = application.post(
                "/actuator/loggers/io.credential", "Authorization", BASIC, "Content-Type", "text/plain");

        // The 403 of the CSRF protection is sent to the error page, which requires a login that the forward does not
        // have.
        assertThat(response.statusCode()).as("without a CSRF token").isEqualTo(401);
        assertThat(application
                        .get("/actuator/loggers/io.credential", "Authorization", BASIC)
                        .statusCode())
                .as("with the same login")
                .isEqualTo(200);
    }

    /** Wherever Actuator is: at a separate path, below the servlet's path, at a separate port, at the root. */
    @ParameterizedTest
    @CsvSource({
        "management.endpoints.web.base-path=/ops, /ops/info, /orders",
        "management.endpoints.web.base-path=/, /info, /orders",
        "spring.mvc.servlet.path=/app, /app/actuator/info, /app/orders",
        "management.server.port=0, /actuator/info, /orders"
    })
    void keyWhenEndpointIsElsewhereThenNotAccepted(String property, String endpoint, String orders) {
        try (HostApplication other =
                HostApplication.start(Host.class, "management.endpoints.web.exposure.include=health,info", property)) {
            other.registries().issue("live", "orders:read");

            assertThat(other.get(orders, "X-API-Key", token("live")).statusCode())
                    .isEqualTo(200);
            int before = other.registries().verifications();
            HttpResponse<String> response = other.send(
                    atManagementPort(other, endpoint, "X-API-Key", token("live"), "Accept", "application/json"));
            assertThat(response.statusCode()).isEqualTo(401);
            assertThat(response.headers().firstValue("WWW-Authenticate"))
                    .hasValueSatisfying(challenge -> assertThat(challenge).startsWith("Basic"));
            assertThat(other.registries().verifications()).isEqualTo(before);
            HttpResponse<String> loggedIn =
                    other.send(atManagementPort(other, endpoint, "X-API-Key", token("live"), "Authorization", BASIC));
            assertThat(loggedIn.statusCode()).as("the key is ignored").isEqualTo(200);
        }
    }

    @Test
    void keyWhenInEveryChainThenAcceptedAtEndpoints() {
        try (HostApplication other = HostApplication.start(
                Host.class,
                "management.endpoints.web.exposure.include=health,info",
                "credential.api-keys.install-in=every-chain")) {
            other.registries().issue("live");

            assertThat(other.get("/actuator/info", "X-API-Key", token("live")).statusCode())
                    .isEqualTo(200);
        }
    }

    /** The default chain accepts the first key; the second reaches a page that needs none. */
    @Test
    void httpExchangesThenShowNoToken() {
        application.get("/whoami?key=" + token("live"), "X-API-Key", token("live"));
        application.get("/actuator/health", "X-API-Key", "misplaced", "Referer", "http://localhost/" + token("live"));

        String shown = application
                .get("/actuator/httpexchanges", "Authorization", BASIC, "Accept", "application/json")
                .body();

        assertThat(shown)
                .contains("/whoami?key=bk_live_0011223344556677_***", "http://localhost/bk_live_0011223344556677_***")
                .contains("\"X-API-Key\":[\"***\"]")
                .doesNotContain(token("live"), "misplaced");
    }

    private static HttpRequest.Builder atManagementPort(HostApplication application, String path, String... headers) {
        Environment environment = application.context().getEnvironment();
        String port =
                environment.getProperty("local.management.port", environment.getRequiredProperty("local.server.port"));
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(Patience.LIMIT)
                .headers(headers);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                DataSourceAutoConfiguration.class,
                HibernateJpaAutoConfiguration.class,
                DataJpaRepositoriesAutoConfiguration.class,
                FlywayAutoConfiguration.class
            },
            // Of two servers on the class path, one may serve the management port.
            excludeName =
                    "org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyServletManagementContextAutoConfiguration")
    @Import(OrdersController.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        InMemoryHttpExchangeRepository exchanges() {
            return new InMemoryHttpExchangeRepository();
        }
    }
}
