package io.credential.spring.autoconfigure.apikeys;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.audit.AuditSink;
import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LeadershipRequiredException;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

@ExtendWith(OutputCaptureExtension.class)
class ApiKeyPurgeTests {

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final MutableClock clock = MutableClock.atNewYear();
    private final SwitchableLeadership leadership = new SwitchableLeadership();

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory)
                .withPropertyValues("credential.api-keys.registries.test.prefix=tk")
                .withBean(MutableClock.class, () -> clock, StarterRunner.OUR_CLOCK)
                .withBean(Leadership.class, () -> leadership);
    }

    /** One key in each registry that is old enough to go, and one that is not. */
    private void prepare(ApiKeyRegistries registries) {
        for (ApiKeyRegistry registry : registries.all()) {
            registry.revoke(registry.issue(IssueRequest.forOwner("old")).id());
        }
        clock.advance(Duration.ofDays(91));
        for (ApiKeyRegistry registry : registries.all()) {
            registry.revoke(registry.issue(IssueRequest.forOwner("new")).id());
        }
    }

    private void purge(ApplicationContext context) {
        ClockCheck close = new ClockCheck(() -> Duration.ZERO);
        new ApiKeyPurge(context.getBean(ApiKeyRegistries.class), leadership, Duration.ofHours(1), close).run();
    }

    private long rows() {
        return database.database()
                .jdbc()
                .sql("select count(*) from _credential_api_keys")
                .query(Long.class)
                .single();
    }

    @Test
    void runWhenLeaderThenPurgesEveryRegistry() {
        runner().run(context -> {
            prepare(context.getBean(ApiKeyRegistries.class));
            purge(context);
            assertThat(rows()).isEqualTo(2);
        });
    }

    @Test
    void runWhenNotLeaderThenPurgesNothing() {
        runner().run(context -> {
            prepare(context.getBean(ApiKeyRegistries.class));
            leadership.leads.set(false);
            purge(context);
            assertThat(rows()).isEqualTo(4);
        });
    }

    @Test
    void runWhenLeadershipIsLostMidwayThenPurgesNothing() {
        runner().run(context -> {
            prepare(context.getBean(ApiKeyRegistries.class));
            leadership.refuses.set(true);
            assertThatCode(() -> purge(context)).doesNotThrowAnyException();
            assertThat(rows()).isEqualTo(4);
        });
    }

    @Test
    void runWhenOneRegistryFailsThenReportsItAndPurgesRest(CapturedOutput output) {
        runner().run(context -> {
            ApiKeyRegistries registries = context.getBean(ApiKeyRegistries.class);
            prepare(registries);
            ApiKeyRegistry first = registries.all().iterator().next();
            database.database()
                    .jdbc()
                    .sql("create trigger stuck before delete on _credential_api_keys when old.namespace = '"
                            + first.namespace() + "' begin select raise(abort, 'stuck'); end")
                    .update();
            purge(context);
            assertThat(rows()).isEqualTo(3);
            assertThat(output).contains("Could not purge registry '" + first.namespace() + "'");
        });
    }

    @Test
    void purgeWhenIntervalIsConfiguredThenRunsByItself() throws Exception {
        CountDownLatch purged = new CountDownLatch(1);
        AuditSink sink = event -> {
            if (event.name().equals("apikey.purge")
                    && Thread.currentThread().getName().startsWith("credential-schedule-")) {
                purged.countDown();
            }
        };
        runner().withPropertyValues("credential.api-keys.purge-interval=1s")
                .withBean(AuditSink.class, () -> sink)
                .run(context -> {
                    prepare(context.getBean(ApiKeyRegistries.class));
                    Patience.await(purged);
                });
    }

    @Test
    void purgeWhenClockOfClusterNodeIsAheadThenSkipped(CapturedOutput output) {
        try (TestDatabase shared = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            ApplicationContextRunner node = StarterRunner.on(shared, directory)
                    .withBean(MutableClock.class, () -> clock, StarterRunner.OUR_CLOCK)
                    .withBean(Leadership.class, () -> leadership);
            clock.set(Instant.now()); // a node with another time than that of the database does not start
            node.run(context -> assertThat(context).hasNotFailed()); // makes the keyring
            node.withPropertyValues("credential.mode=cluster", "credential.api-keys.purge-interval=1s")
                    .run(context -> {
                        ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
                        String id = registry.issue(IssueRequest.forOwner("old")).id();
                        registry.revoke(id);
                        clock.advance(Duration.ofDays(91));

                        Patience.until(() -> output.toString().contains("no keys are purged"));

                        assertThat(registry.getById(id)).isPresent();
                    });
        }
    }

    private static class SwitchableLeadership implements Leadership {

        final AtomicBoolean leads = new AtomicBoolean(true);
        final AtomicBoolean refuses = new AtomicBoolean();

        @Override
        public OptionalLong epoch() {
            return leads.get() ? OptionalLong.of(1) : OptionalLong.empty();
        }

        @Override
        public void requireLeader() {
            if (refuses.get()) {
                throw new LeadershipRequiredException(null, null);
            }
        }
    }
}
