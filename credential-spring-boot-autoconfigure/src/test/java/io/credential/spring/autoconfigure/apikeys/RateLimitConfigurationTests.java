package io.credential.spring.autoconfigure.apikeys;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTask;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.internal.cluster.Leadership;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimiter;
import io.credential.ratelimit.internal.JdbcBucketStore;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.redis.RedisStoresAutoConfiguration;
import io.credential.spring.internal.redis.TestRedis;
import io.credential.spring.security.ApiKeyRateLimits;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.OtherLeads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Where requests are counted. */
class RateLimitConfigurationTests {

    private static final String STORE = "credential.api-keys.rate-limits.store=";
    private static final String QUOTA = "credential.api-keys.registries.live.quota.";
    private static final String LIMIT = "credential.api-keys.registries.live.rate-limit.";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final MutableClock clock = MutableClock.atNewYear();

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner runner() {
        return on(database);
    }

    private ApplicationContextRunner on(TestDatabase chosen) {
        return StarterRunner.on(chosen, directory)
                .withConfiguration(AutoConfigurations.of(RedisStoresAutoConfiguration.class))
                .withBean(InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK);
    }

    private ApplicationContextRunner cluster() {
        clock.set(Instant.now()); // a node with another time than that of the database does not start
        runner().run(context -> assertThat(context).hasNotFailed()); // makes the keyring
        return runner().withPropertyValues("credential.mode=cluster", "credential.cluster.node-id=n1");
    }

    private static ApiKey issue(AssertableApplicationContext context) {
        ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
        return registry.verify(registry.issue(IssueRequest.forOwner("user-42")).key())
                .orElseThrow();
    }

    private int rows() {
        return database.migrate(JdbcBucketStore.SCHEMA)
                .jdbc()
                .sql("select count(*) from _credential_rate_limits")
                .query(Integer.class)
                .single();
    }

    @Test
    void limitWhenConfiguredThenAppliesToKeysWithoutOne() {
        runner().withPropertyValues(LIMIT + "limit=1", LIMIT + "window=2m").run(context -> {
            ApiKeyRateLimits limits = context.getBean(ApiKeyRateLimits.class);
            ApiKey key = issue(context);

            assertThat(limits.tryAcquire(key)).hasValueSatisfying(decision -> {
                assertThat(decision.allowed()).isTrue();
                assertThat(decision.limit()).isEqualTo(new RateLimit(1, Duration.ofMinutes(2)));
            });
            assertThat(limits.tryAcquire(key).orElseThrow().allowed()).isFalse();
        });
    }

    @Test
    void quotaWhenConfiguredThenAppliesToKeysWithoutOne() {
        runner().withPropertyValues(QUOTA + "limit=1", QUOTA + "period=day", QUOTA + "zone=Asia/Kathmandu")
                .run(context -> {
                    ApiKeyRateLimits limits = context.getBean(ApiKeyRateLimits.class);
                    ApiKey key = issue(context);

                    assertThat(limits.tryAcquireQuota(key)).hasValueSatisfying(decision -> {
                        assertThat(decision.allowed()).isTrue();
                        assertThat(decision.quota())
                                .isEqualTo(new Quota(1, Quota.Period.DAY, ZoneId.of("Asia/Kathmandu")));
                        assertThat(decision.resetAfter())
                                .as("at midnight in Kathmandu, 18:15 UTC")
                                .isEqualTo(Duration.ofMinutes(18 * 60 + 15));
                    });
                    assertThat(limits.tryAcquireQuota(key).orElseThrow().allowed())
                            .isFalse();
                    clock.advance(Duration.ofMinutes(18 * 60 + 15));
                    assertThat(limits.tryAcquireQuota(key).orElseThrow().allowed())
                            .isTrue();
                });
    }

    @Test
    void quotaWhenOnlyLimitIsSetThenForMonthsInUtc() {
        runner().withPropertyValues(QUOTA + "limit=7")
                .run(context -> assertThat(context.getBean(ApiKeyRegistry.class).quota())
                        .contains(new Quota(7, Quota.Period.MONTH, ZoneId.of("UTC"))));
    }

    @Test
    void quotaWhenStoreIsJdbcThenKeptOverRestarts() {
        ApiKey[] key = new ApiKey[1];
        for (int expected = 4; expected >= 3; expected--) {
            long remaining = expected;
            runner().withPropertyValues(QUOTA + "limit=5", STORE + "jdbc").run(context -> {
                if (key[0] == null) {
                    key[0] = issue(context);
                }
                assertThat(context.getBean(ApiKeyRateLimits.class)
                                .tryAcquireQuota(key[0])
                                .orElseThrow()
                                .remaining())
                        .isEqualTo(remaining);
            });
        }
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void limitWhenNotConfiguredThenKeysAreNotLimited() {
        runner().run(context -> {
            ApiKey key = issue(context);
            ApiKeyRateLimits limits = context.getBean(ApiKeyRateLimits.class);
            assertThat(limits.tryAcquire(key)).isEmpty();
            assertThat(limits.tryAcquireQuota(key)).isEmpty();
        });
    }

    @Test
    void storeWhenSingleThenCountsInMemory() {
        runner().withPropertyValues(LIMIT + "limit=5").run(context -> {
            assertThat(context.getBean(ApiKeyRateLimits.class)
                            .tryAcquire(issue(context))
                            .orElseThrow()
                            .remaining())
                    .isEqualTo(4);
            assertThat(rows()).isZero();
        });
    }

    @Test
    void storeWhenClusterThenCountsInTheDatabase() {
        cluster().withPropertyValues(LIMIT + "limit=5").run(context -> {
            context.getBean(ApiKeyRateLimits.class).tryAcquire(issue(context));
            assertThat(rows()).isEqualTo(1);
        });
    }

    @Test
    void storeWhenJdbcThenCountsInTheDatabase() {
        runner().withPropertyValues(LIMIT + "limit=5", STORE + "jdbc").run(context -> {
            context.getBean(ApiKeyRateLimits.class).tryAcquire(issue(context));
            assertThat(rows()).isEqualTo(1);
        });
    }

    @Test
    void storeWhenJdbcThenOldBucketsArePurged() {
        runner().withPropertyValues(LIMIT + "limit=5", STORE + "jdbc", "credential.api-keys.purge-interval=1s")
                .run(context -> {
                    context.getBean(ApiKeyRateLimits.class).tryAcquire(issue(context));
                    clock.advance(Duration.ofHours(1));
                    Patience.until(() -> rows() == 0);
                });
    }

    /** A node may be restarted more often than it purges. */
    @Test
    void purgeWhenIntervalIsLongThenBeginsSoon() {
        runner().withPropertyValues(LIMIT + "limit=5", STORE + "jdbc", "credential.api-keys.purge-interval=24h")
                .run(context -> assertThat(
                                context.getBean(CredentialSchedule.class).getScheduledTasks())
                        .extracting(ScheduledTask::getTask)
                        .filteredOn(task -> task.toString().endsWith("credential.api-keys.rate-limits.purge"))
                        .singleElement()
                        .isInstanceOfSatisfying(
                                FixedDelayTask.class,
                                task -> assertThat(task.getInitialDelayDuration())
                                        .hasMinutes(1)));
    }

    @Test
    void purgeWhenNotLeaderThenPurgesNothing() {
        Leadership follower = new OtherLeads();
        runner().withPropertyValues(LIMIT + "limit=5", STORE + "jdbc").run(context -> {
            context.getBean(ApiKeyRateLimits.class).tryAcquire(issue(context));
            clock.advance(Duration.ofHours(1));
            new BucketPurge(
                            new JdbcBucketStore(database.migrate(JdbcBucketStore.SCHEMA), clock),
                            follower,
                            Duration.ofHours(1))
                    .run();
            assertThat(rows()).isEqualTo(1);
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void purgeWhenTheDatabaseFailsThenLogged(CapturedOutput output) {
        JdbcBucketStore store = new JdbcBucketStore(database.migrate(JdbcBucketStore.SCHEMA), clock);
        database.dataSource().close();

        new BucketPurge(store, Leadership.singleNode(), Duration.ofHours(1)).run();

        assertThat(output).contains("Could not purge the buckets of rate limits");
    }

    @Test
    void storeWhenMemoryInAClusterThenRefused() {
        cluster()
                .withPropertyValues(STORE + "memory")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("credential.api-keys.rate-limits.store"));
    }

    @Test
    void storeWhenJdbcOnSqliteThenRefused() {
        try (TestDatabase sqlite = TestDatabase.create(DatabaseKind.SQLITE)) {
            on(sqlite).withPropertyValues(STORE + "jdbc").run(context -> assertRefused(context, "SQLite"));
        }
    }

    @Test
    void storeWhenRedisThenCountsInRedis() throws IOException {
        try (TestRedis redis = new TestRedis()) {
            runner().withPropertyValues(LIMIT + "limit=5", STORE + "redis")
                    .withBean("redis", RedisConnectionFactory.class, redis::newConnections)
                    .run(context -> {
                        context.getBean(ApiKeyRateLimits.class).tryAcquire(issue(context));
                        assertThat(redis.keys()).singleElement().asString().startsWith("credential:rate-limit:live/");
                    });
        }
    }

    @Test
    void storeWhenRedisIsMissingThenRefused() throws IOException {
        runner().withPropertyValues(STORE + "redis")
                .run(context -> assertRefused(context, "there is no bean of type RedisConnectionFactory"));
        runner().withPropertyValues(STORE + "redis")
                .withClassLoader(new FilteredClassLoader("org.springframework.data.redis"))
                .run(context -> assertRefused(context, "Spring Data Redis is not on the class path"));
        try (TestRedis redis = new TestRedis()) {
            runner().withPropertyValues(STORE + "redis")
                    .withBean("one", RedisConnectionFactory.class, redis::newConnections)
                    .withBean("two", RedisConnectionFactory.class, redis::newConnections)
                    .run(context -> assertRefused(context, "there are several beans"));
        }
    }

    @Test
    void storeWhenRedisInATestSliceThenRefused() {
        StarterRunner.on(database, directory)
                .withPropertyValues(STORE + "redis")
                .run(context -> assertRefused(context, "test slices have no Redis"));
    }

    @Test
    void limiterWhenTheApplicationHasOneThenItIsUsed() {
        RateLimiter own = RateLimiter.inMemory(clock);
        runner().withBean(RateLimiter.class, () -> own)
                .run(context -> assertThat(context.getBean(RateLimiter.class)).isSameAs(own));
    }

    private static void assertRefused(AssertableApplicationContext context, String problem) {
        FailureAnalysis analysis = Analyses.of(context.getStartupFailure());
        assertThat(analysis.getDescription()).contains("'credential.api-keys.rate-limits.store'", problem);
        assertThat(analysis.getAction()).contains("credential.api-keys.rate-limits.store");
    }
}
