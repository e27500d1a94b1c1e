package io.credential.spring.autoconfigure.effects;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeySearch;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What properties of API keys do in an application. */
class ApiKeyPropertyTests {

    private static final String LIVE = "credential.api-keys.registries.live.";
    private static final String CACHE = "credential.api-keys.cache.";
    private static final String ARGON2ID = "credential.api-keys.argon2id.";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final MutableClock clock = MutableClock.atNewYear();
    private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private void deleteRows() {
        database.migrate(JdbcApiKeyRegistries.SCHEMA)
                .jdbc()
                .sql("DELETE FROM _credential_api_keys")
                .update();
    }

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.on(database, directory)
                .withBean(InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK)
                .withBean(AuditSink.class, () -> events::add)
                .withPropertyValues(properties);
    }

    @Test
    void purgeWhenPurgeAfterHasPassedThenRemoved() {
        runner(LIVE + "purge-after=5d").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            registry.revoke(issue(registry).id());
            clock.advance(Duration.ofDays(4));
            assertThat(registry.purgeExpired()).isZero();
            clock.advance(Duration.ofDays(2));
            assertThat(registry.purgeExpired()).isEqualTo(1);
        });
    }

    @Test
    void verifyWhenCacheIsEnabledThenAcceptedWithoutRow() {
        for (boolean enabled : List.of(true, false)) {
            runner(CACHE + "enabled=" + enabled).run(context -> {
                ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
                IssuedApiKey key = issue(registry);
                registry.verify(key.key());

                deleteRows();

                assertThat(registry.verify(key.key()).isPresent()).isEqualTo(enabled);
            });
        }
    }

    @Test
    void verifyWhenCacheHoldsOneKeyThenOthersAreRead() {
        runner(CACHE + "enabled=true", CACHE + "max-size=1").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            List<IssuedApiKey> keys = List.of(issue(registry), issue(registry), issue(registry));
            keys.forEach(key -> registry.verify(key.key()));

            deleteRows();

            assertThat(keys.stream().filter(key -> registry.verify(key.key()).isPresent()))
                    .hasSize(1);
        });
    }

    @Test
    void verifyWhenTtlHasPassedThenRowIsRead() {
        runner(CACHE + "enabled=true", CACHE + "ttl=1ms").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            IssuedApiKey key = issue(registry);
            registry.verify(key.key());

            deleteRows();

            Patience.until(() -> registry.verify(key.key()).isEmpty());
        });
    }

    @Test
    void usageWhenEnabledThenCounted() {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        runner("credential.api-keys.usage.enabled=true").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            IssuedApiKey key = issue(registry);
            registry.verify(key.key());

            Patience.until(() -> !registry.usage(key.id(), today, today).isEmpty());
        });
        runner().run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            String id = issue(registry).id();

            assertThatThrownBy(() -> registry.usage(id, today, today))
                    .isInstanceOf(ApiKeyException.class)
                    .hasMessageContaining("credential.api-keys.usage.enabled");
        });
    }

    @Test
    void issueWhenLifetimeIsLimitedThenLongerIsRefused() {
        runner(LIVE + "max-lifetime=90d").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            IssueRequest request = IssueRequest.forOwner("user-42");
            registry.issue(request.expiresAt(clock.instant().plus(Duration.ofDays(90))));

            assertThatThrownBy(() ->
                            registry.issue(request.expiresAt(clock.instant().plus(Duration.ofDays(91)))))
                    .isInstanceOf(ApiKeyException.class)
                    .hasMessageContaining(LIVE + "max-lifetime");
        });
    }

    @Test
    void issueWhenExpiryIsRequiredThenMissingIsRefused() {
        runner(LIVE + "require-expiry=true").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);

            assertThatThrownBy(() -> registry.issue(IssueRequest.forOwner("user-42")))
                    .isInstanceOf(ApiKeyException.class)
                    .hasMessageContaining(LIVE + "require-expiry");
        });
    }

    @Test
    void searchWhenNamesAreEnabledThenFoundByName() {
        runner("credential.api-keys.search.names=true").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            registry.issue(IssueRequest.forOwner("user-42").name("CI key"));

            assertThat(registry.search(KeySearch.all().withNamePrefix("ci ")).keys())
                    .hasSize(1);
            assertThatThrownBy(() -> registry.search(KeySearch.all().withScope("a")))
                    .hasMessageContaining("credential.api-keys.search.scopes");
        });
    }

    @Test
    void searchWhenScopesAreEnabledThenFoundByScope() {
        runner("credential.api-keys.search.scopes=true").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            registry.issue(IssueRequest.forOwner("user-42").scopes("a"));

            assertThat(registry.search(KeySearch.all().withScope("a")).keys()).hasSize(1);
            assertThatThrownBy(() -> registry.search(KeySearch.all().withNamePrefix("ci ")))
                    .hasMessageContaining("credential.api-keys.search.names");
        });
    }

    @Test
    void rotateWhenGraceIsSetThenOldSecretWorksThatLong() {
        runner(LIVE + "rotation-grace=2h").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            IssuedApiKey key = issue(registry);
            RotatedApiKey rotated = registry.rotate(key.id(), Rotation.graceful());

            assertThat(rotated.gracePeriod()).isEqualTo(Duration.ofHours(2));
            clock.advance(Duration.ofMinutes(119));
            assertThat(registry.verify(key.key())).isPresent();
            clock.advance(Duration.ofMinutes(2));
            assertThat(registry.verify(key.key())).isEmpty();
        });
    }

    @Test
    void verifyWhenLastUseIsNotTrackedThenNotKept() {
        for (boolean track : List.of(true, false)) {
            runner(LIVE + "track-last-used=" + track).run(context -> {
                ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
                IssuedApiKey key = issue(registry);
                registry.verify(key.key());
                // While the use is being written, it is neither in the row nor in memory.
                Patience.untilAsserted(() -> assertThat(
                                registry.getById(key.id()).orElseThrow().lastUsedAt() != null)
                        .isEqualTo(track));
            });
        }
    }

    @Test
    void issueWhenSuccessesAreNotAuditedThenNoEvent() {
        runner(LIVE + "audit-success=false").run(context -> {
            issue(context.getBean(ApiKeyRegistry.class));
            assertThat(events).isEmpty();
        });
    }

    @Test
    void issueWhenScopeIsNotInCatalogueThenRefused() {
        runner(LIVE + "prefix=bk", "credential.api-keys.scopes.known=orders:read")
                .run(context -> {
                    ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
                    assertThat(registry.issue(IssueRequest.forOwner("u").scopes("orders:read"))
                                    .scopes())
                            .containsExactly("orders:read");
                    assertThatExceptionOfType(ApiKeyException.class)
                            .isThrownBy(() ->
                                    registry.issue(IssueRequest.forOwner("u").scopes("orders:*")))
                            .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-scopes"));
                });
    }

    @Test
    void issueWhenArgon2HasTwoLanesThenStoredHashSaysSo() {
        runner(LIVE + "hash-algorithm=argon2id", ARGON2ID + "parallelism=2", ARGON2ID + "memory=64KB")
                .run(context -> {
                    issue(context.getBean(ApiKeyRegistry.class));
                    assertThat(context.getBean(CredentialDatabase.class)
                                    .jdbc()
                                    .sql("select secret_hash from _credential_api_keys")
                                    .query(String.class)
                                    .single())
                            .contains(",p=2$");
                });
    }

    @Test
    void issueWhenNoHashTurnIsFreeThenWaitsAsConfigured() {
        String[] costly = {LIVE + "hash-algorithm=argon2id", ARGON2ID + "memory=64MB"};
        // One turn, and no waiting for it: of many at once one is refused, sooner or later.
        runner(costly)
                .withPropertyValues(ARGON2ID + "max-concurrent=1", ARGON2ID + "max-wait=0s")
                .run(context -> Patience.until(() -> refused(context.getBean(ApiKeyRegistry.class)) > 0));
        // With time to wait, none.
        runner(costly)
                .withPropertyValues(ARGON2ID + "max-concurrent=1", ARGON2ID + "max-wait=1h")
                .run(context -> assertThat(refused(context.getBean(ApiKeyRegistry.class)))
                        .isZero());
        // Without any, but with a turn for each, none.
        runner(costly)
                .withPropertyValues(ARGON2ID + "max-concurrent=4", ARGON2ID + "max-wait=0s")
                .run(context -> assertThat(refused(context.getBean(ApiKeyRegistry.class)))
                        .isZero());
    }

    /** How many of four keys that are issued at once are refused. */
    private static int refused(ApiKeyRegistry registry) {
        return InParallel.countSuccesses(4, 1, round -> isRefused(registry));
    }

    private static boolean isRefused(ApiKeyRegistry registry) {
        try {
            issue(registry);
            return false;
        } catch (ApiKeyException e) {
            assertThat(e.code()).isEqualTo("api-key/unavailable");
            return true;
        }
    }

    private static IssuedApiKey issue(ApiKeyRegistry registry) {
        return registry.issue(IssueRequest.forOwner("user-42"));
    }
}
