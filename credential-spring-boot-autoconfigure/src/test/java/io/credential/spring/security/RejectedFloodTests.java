package io.credential.spring.security;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.testing.MutableClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client with a revoked key shares an address with a client whose key is valid. A whole application, because each
 * part contributes: the filter, the registry with its hashes, and the cache. One node shows it, since failed attempts
 * and hashes are remembered by each node alone.
 */
class RejectedFloodTests {

    private static final String API_KEYS = "credential.api-keys.";

    @TempDir
    static Path directory;

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "spring.datasource.url=jdbc:sqlite:" + directory.resolve("host.db"),
                "credential.keyring.location=file:" + directory.resolve("keyring.json"),
                API_KEYS + "accept=fast,slow",
                API_KEYS + "cache.enabled=true",
                API_KEYS + "registries.fast.prefix=bk",
                API_KEYS + "registries.slow.prefix=bk",
                API_KEYS + "registries.slow.hash-algorithm=argon2id");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "slow"})
    void getWhenOthersUseARevokedKeyThenValidKeysWork(String namespace) {
        application.context().getBean(MutableClock.class).advance(Duration.ofDays(1));
        ApiKeyRegistry registry =
                application.context().getBean(ApiKeyRegistries.class).get(namespace);
        IssuedApiKey revoked = registry.issue(IssueRequest.forOwner("owner-6"));
        registry.revoke(revoked.id());
        String valid = registry.issue(IssueRequest.forOwner("owner-7")).key();

        for (int i = 0; i < 60; i++) {
            assertThat(get(revoked.key())).isEqualTo(401);
        }

        assertThat(get(revoked.key())).isEqualTo(429);
        assertThat(get(valid)).isEqualTo(200);
        assertThat(get(valid.substring(0, valid.lastIndexOf('_') + 1) + "00".repeat(16)))
                .isEqualTo(429);
        assertThat(get(valid)).isEqualTo(200);
        assertThat(get(revoked.key())).isEqualTo(429);
    }

    private static int get(String token) {
        return application.get("/whoami", "X-API-Key", token).statusCode();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                HibernateJpaAutoConfiguration.class,
                DataJpaRepositoriesAutoConfiguration.class,
                FlywayAutoConfiguration.class
            })
    @Import(OrdersController.class)
    static class Host {

        /** Stands still, so that no window ends. */
        @Bean
        @CredentialClock
        MutableClock clock() {
            return MutableClock.atNewYear();
        }
    }
}
