package io.credential.spring.security;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyUsage;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** Everything together, from the properties to the database, with no line of code but the controller. */
class RealRegistryTests {

    @TempDir
    static Path directory;

    private static HostApplication application;
    private static ApiKeyRegistry registry;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "spring.datasource.url=jdbc:sqlite:" + directory.resolve("host.db"),
                "credential.keyring.location=file:" + directory.resolve("keyring.json"),
                "server.forward-headers-strategy=native",
                "credential.api-keys.failed-attempts.limit=0",
                "credential.api-keys.registries.live.prefix=bk",
                "credential.api-keys.accept-tickets=true",
                "credential.api-keys.ticket-parameter=once",
                "credential.api-keys.usage.enabled=true");
        registry = application.context().getBean(ApiKeyRegistry.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void keyWhenIssuedThenWorksUntilRevoked() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("owner-7").scopes("orders:read"));

        HttpResponse<String> whoami = application.get("/whoami", "X-API-Key", issued.key());
        assertThat(whoami.statusCode()).isEqualTo(200);
        assertThat(whoami.body()).isEqualTo(issued.id() + " of owner-7");
        assertThat(application.get("/orders", "X-API-Key", issued.key()).body()).isEqualTo("orders");
        assertThat(application.post("/orders", "X-API-Key", issued.key()).body())
                .contains("\"missingScopes\":[\"orders:write\"]");

        assertThat(registry.revoke(issued.id())).isTrue();
        assertThat(application.get("/whoami", "X-API-Key", issued.key()).statusCode())
                .isEqualTo(401);
    }

    @Test
    void ticketThenAuthenticatesOnceAsItsKey() {
        String ticket = ticket("orders:read");

        HttpResponse<String> first = application.get("/name?once=" + ticket);
        HttpResponse<String> second = application.get("/name?once=" + ticket, "Accept", "text/html");

        assertThat(application.get("/name?ticket=" + ticket).statusCode())
                .as("not the configured parameter")
                .isNotEqualTo(200);
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("owner-7");
        assertThat(second.statusCode()).isEqualTo(401);
        assertThat(second.headers().map()).doesNotContainKeys("Location", "Set-Cookie");
        assertThat(second.body()).contains("\"code\":\"api-key/unauthorized\"").doesNotContain(ticket);
    }

    @Test
    void ticketThenHasTheScopesAndLimitOfItsKey() {
        IssuedApiKey issued = registry.issue(
                IssueRequest.forOwner("owner-7").scopes("orders:read").rateLimit(2, Duration.ofHours(1)));

        assertThat(application.get("/orders?once=" + ticket(issued)).body()).isEqualTo("orders");
        assertThat(application.get("/session?once=" + ticket(issued)).body()).isEqualTo("no session");
        assertThat(application.get("/orders?once=" + ticket(issued)).statusCode())
                .isEqualTo(429);
        assertThat(application.get("/orders?once=" + ticket("other:scope")).statusCode())
                .isEqualTo(403);
    }

    @Test
    void ticketWhenKeyIsBesideItThenRefusedAndNotUsedUp() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("owner-7"));
        String ticket = ticket(issued);

        assertThat(application
                        .get("/name?once=" + ticket, "X-API-Key", issued.key())
                        .statusCode())
                .isEqualTo(401);
        assertThat(application.get("/name?once=" + ticket + "&once=" + ticket).statusCode())
                .isEqualTo(401);
        assertThat(application.get("/name?once=" + ticket).statusCode()).isEqualTo(200);
    }

    @Test
    void ticketWhenInPostThenAuthenticatesNobody() {
        String ticket = ticket("orders:read", "orders:write");

        assertThat(application.post("/orders?once=" + ticket).statusCode()).isNotEqualTo(200);
        assertThat(application.get("/orders?once=" + ticket).statusCode()).isEqualTo(200);
    }

    @Test
    void ticketWhenOverPlainHttpThenRefusedAndUsedUp() {
        String ticket = ticket("orders:read");

        HttpResponse<String> response = application.get("/orders?once=" + ticket, "X-Forwarded-For", "203.0.113.9");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("https-required", "This ticket was sent over plain HTTP");
        assertThat(application.get("/orders?once=" + ticket).statusCode()).isEqualTo(401);
    }

    @Test
    void keyWhenInPlaceOfTicketThenRejected() {
        String key = registry.issue(IssueRequest.forOwner("owner-7")).key();
        String elsewhere = "ticket_elsewhere_0011223344556677_" + "00".repeat(32);

        assertThat(application.get("/name?once=" + key).statusCode()).isEqualTo(401);
        assertThat(application.get("/name?once=" + elsewhere).statusCode()).isEqualTo(401);
        assertThat(application.get("/name?once=").statusCode()).isEqualTo(401);
        assertThat(application.get("/name", "X-API-Key", ticket("orders:read")).statusCode())
                .isEqualTo(401);
    }

    private static String ticket(String... scopes) {
        return ticket(registry.issue(IssueRequest.forOwner("owner-7").scopes(scopes)));
    }

    private static String ticket(IssuedApiKey issued) {
        ApiKey key = registry.getById(issued.id()).orElseThrow();
        return registry.ticket(key, Duration.ofSeconds(30)).value();
    }

    @Test
    void requestsThenEachCountsOnceAndRejectionsByCause() {
        IssuedApiKey issued = registry.issue(
                IssueRequest.forOwner("owner-7").scopes("orders:read").rateLimit(2, Duration.ofDays(1)));
        assertThat(List.of(
                        application.get("/orders", "X-API-Key", issued.key()).statusCode(),
                        application.post("/orders", "X-API-Key", issued.key()).statusCode(),
                        application.get("/orders", "X-API-Key", issued.key()).statusCode()))
                .containsExactly(200, 403, 429);

        Patience.until(
                () -> usage(issued).stream().mapToLong(ApiKeyUsage::requests).sum() == 3);
        assertThat(usage(issued).stream()
                        .mapToLong(ApiKeyUsage::rejectedByScope)
                        .sum())
                .isEqualTo(1);
        assertThat(usage(issued).stream().mapToLong(ApiKeyUsage::rejectedByRate).sum())
                .isEqualTo(1);
    }

    /** Of two days, because midnight may pass. */
    private static List<ApiKeyUsage> usage(IssuedApiKey issued) {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        return registry.usage(issued.id(), today.minusDays(1), today);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                HibernateJpaAutoConfiguration.class,
                DataJpaRepositoriesAutoConfiguration.class,
                FlywayAutoConfiguration.class
            })
    @Import(OrdersController.class)
    static class Host {}
}
