package io.credential.spring.autoconfigure.actuate;

import java.nio.file.Path;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

class HealthConfigurationTests {

    private static final String ENABLED = "credential.webhook.dispatcher.enabled=true";

    @TempDir
    private Path directory;

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @Test
    void healthWhenAllWorksThenUp() {
        runner().run(context -> {
            assertThat(names(context)).containsExactlyInAnyOrder("keyring", "dispatcher");
            assertThat(health(context, "keyring").getStatus()).isEqualTo(Status.UP);
            assertThat(health(context, "keyring").getDetails()).containsEntry("activeKey", "k1");
            assertThat(health(context, "dispatcher").getStatus()).isEqualTo(Status.UP);
            assertThat(health(context, "dispatcher").getDetails()).containsOnlyKeys("running", "waiting", "settling");
        });
    }

    @Test
    void leadershipWhenClusteredThenUpOnEveryNode() {
        try (TestDatabase shared = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            // Creates the keyring, which no node of a cluster does.
            runner(shared).run(context -> assertThat(context).hasNotFailed());
            ApplicationContextRunner node = runner(shared)
                    .withPropertyValues("credential.mode=cluster", "credential.cluster.lease-duration=5m");
            node.run(leader -> node.run(follower -> {
                assertThat(health(leader, "leadership")).isEqualTo(upWithLeader(true));
                assertThat(health(follower, "leadership")).isEqualTo(upWithLeader(false));
            }));
        }
    }

    private static Health upWithLeader(boolean leader) {
        return Health.up().withDetail("leader", leader).build();
    }

    @Test
    void keyringWhenItCannotSealThenDown() {
        SecureRandom failing = new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                throw new ProviderException("no randomness");
            }
        };

        Health health = requireNonNull(new KeyringHealth(Keyring.generate(new SecureRandom()), failing).health(true));

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsEntry("activeKey", "k1");
    }

    @Test
    void dispatcherWhenAClaimFailsThenStillUp() {
        runner().run(context -> {
            try (CapturedLog log = CapturedLog.of("io.credential.webhook.delivery.internal.engine")) {
                JdbcClient.create(database.dataSource())
                        .sql("ALTER TABLE _credential_webhook_deliveries RENAME TO gone")
                        .update();
                context.getBean(JdbcWebhookDispatcher.class).poll();
                Patience.until(() -> log.lines().stream().anyMatch(line -> line.startsWith("Could not claim")));

                assertThat(health(context, "dispatcher").getStatus()).isEqualTo(Status.UP);
            }
        });
    }

    @Test
    void dispatcherWhenNoClaimSucceedsForLongThenDown() {
        assertThat(status(Duration.ofSeconds(60))).isEqualTo(Status.UP);
        assertThat(status(Duration.ofSeconds(61))).isEqualTo(Status.DOWN);
    }

    private static Status status(Duration sinceLastSuccess) {
        Health.Builder health = new Health.Builder();
        DispatcherHealth.report(new DispatcherActivity(true, sinceLastSuccess, 0, 0, 0), health);
        return health.build().getStatus();
    }

    @Test
    void dispatcherWhenStoppedThenOutOfService() {
        runner().run(context -> {
            context.getBean(JdbcWebhookDispatcher.class).stop(Duration.ZERO);

            assertThat(health(context, "dispatcher").getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
        });
    }

    @Test
    void dispatcherWhenDisabledThenNoPart() {
        runner().withPropertyValues(StarterRunner.NO_DISPATCHER)
                .run(context -> assertThat(names(context)).containsExactly("keyring"));
    }

    @Test
    void contextWhenNothingIsConfiguredThenNoContributor() {
        StarterRunner.bare()
                .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CompositeHealthContributor.class));
    }

    @Test
    void contextWhenDisabledThenNoContributor() {
        runner().withPropertyValues("management.health.credential.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(CompositeHealthContributor.class)
                        .doesNotHaveBean(HealthConfiguration.Part.class));
    }

    @Test
    void contextWhenHealthIsAbsentThenStarts() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthConfiguration.class));
    }

    private ApplicationContextRunner runner() {
        return runner(database);
    }

    private ApplicationContextRunner runner(TestDatabase database) {
        return StarterRunner.on(database, directory)
                .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class))
                .withPropertyValues(ENABLED);
    }

    private static Iterable<String> names(ApplicationContext context) {
        return context.getBean(CompositeHealthContributor.class).stream()
                .map(HealthContributors.Entry::name)
                .toList();
    }

    private static Health health(ApplicationContext context, String part) {
        HealthContributor found =
                context.getBean(CompositeHealthContributor.class).getContributor(part);
        return requireNonNull(((HealthIndicator) requireNonNull(found)).health(true));
    }
}
