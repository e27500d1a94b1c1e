package io.credential.spring.security;

import java.net.http.HttpResponse;
import java.nio.file.Path;

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

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;

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
                "credential.api-keys.registries.live.prefix=bk");
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
