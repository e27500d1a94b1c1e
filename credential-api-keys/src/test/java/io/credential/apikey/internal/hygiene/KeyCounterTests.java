package io.credential.apikey.internal.hygiene;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.SqlDialect;
import io.credential.testing.BothDatabases;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class KeyCounterTests {

    private static final Duration UNUSED = Duration.ofDays(90);
    private static final Duration SOON = Duration.ofDays(30);

    private final MutableClock clock = MutableClock.atNewYear();
    private final TestDatabase test;
    private final JdbcApiKeyRegistries registries;
    private final ApiKeyRegistry registry;
    private final KeyCounter counter;

    KeyCounterTests(TestDatabase test) {
        this.test = test;
        test.migrate(JdbcApiKeyRegistries.SCHEMA)
                .jdbc()
                .sql("DELETE FROM _credential_api_keys")
                .update();
        this.registries = JdbcApiKeyRegistries.builder(
                        test.migrate(JdbcApiKeyRegistries.SCHEMA), Keyring.generate(new SecureRandom()))
                .clock(clock)
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .registry(ApiKeyRegistryOptions.forNamespace("test"))
                .build();
        this.registry = registries.get("live");
        this.counter = new KeyCounter(test.migrate(JdbcApiKeyRegistries.SCHEMA));
    }

    @Test
    void countWhenNothingIsStoredThenZero() {
        assertThat(count()).isEqualTo(new KeyCounts(0, 0, 0, 0));
        assertThat(count().complete()).isTrue();
    }

    @Test
    void countThenFindingsAreOfActiveKeys() {
        issue(null);
        issue(SOON.plusMillis(2));
        issue(SOON.minusMillis(1));
        registry.disable(issue(null).id());
        registry.revoke(issue(SOON.minusMillis(1)).id());
        issue(Duration.ofMillis(1));
        clock.advance(Duration.ofMillis(1));

        assertThat(count())
                .returns(6, KeyCounts::counted)
                .returns(1, KeyCounts::neverExpiring)
                .returns(1, KeyCounts::expiringSoon)
                .returns(0, KeyCounts::unused);
    }

    @Test
    void countWhenUsedWithinTheTimeThenNotUnused() {
        issue(null);
        String key = issue(null).key();
        clock.advance(Duration.ofMillis(1));
        registry.verify(key);
        registries.flushLastUsed();
        clock.advance(UNUSED);

        assertThat(count().unused()).isEqualTo(1);

        clock.advance(Duration.ofMillis(1));

        assertThat(count().unused()).isEqualTo(2);
    }

    @Test
    void countWhenKeyIsOfAnotherNamespaceThenLeftOut() {
        registries.get("test").issue(IssueRequest.forOwner("user-42"));

        assertThat(count().counted()).isZero();
    }

    @Test
    void countWhenThereAreMoreThanTheLimitThenStops() {
        insert(KeyCounts.MOST + 5);

        assertThat(count()).returns(KeyCounts.MOST, KeyCounts::counted).returns(false, KeyCounts::complete);
        if (test.migrate(JdbcApiKeyRegistries.SCHEMA).dialect() == SqlDialect.POSTGRESQL) {
            assertThat(plan()).contains("_credential_api_keys_by_age");
        }
    }

    @Test
    void countWhenTableIsMissingThenDatabaseError() {
        JdbcClient jdbc = test.migrate(JdbcApiKeyRegistries.SCHEMA).jdbc();
        jdbc.sql("ALTER TABLE _credential_api_keys RENAME TO gone").update();
        try {
            assertThatExceptionOfType(ApiKeyException.class)
                    .isThrownBy(this::count)
                    .returns(ApiKeyErrorCode.DATABASE_ERROR, ApiKeyException::errorCode);
        } finally {
            jdbc.sql("ALTER TABLE gone RENAME TO _credential_api_keys").update();
        }
    }

    private KeyCounts count() {
        Instant now = clock.instant();
        return counter.count("live", now, now.minus(UNUSED), now.plus(SOON));
    }

    private IssuedApiKey issue(@Nullable Duration lifetime) {
        return registry.issue(IssueRequest.forOwner("user-42")
                .expiresAt(lifetime == null ? null : clock.instant().plus(lifetime)));
    }

    /** However long it takes. */
    private void insert(int number) {
        JdbcClient jdbc = JdbcClient.create(test.dataSource());
        jdbc.sql("""
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :number)
                        INSERT INTO _credential_api_keys (namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata,
                            secret_hash, created_at)
                        SELECT 'live', CAST(10000000 + i AS TEXT), 'bk', '', '', '', '', '', i
                        FROM n""").param("number", number).update();
        jdbc.sql("ANALYZE").update();
    }

    private String plan() {
        return String.join(
                "\n",
                test.migrate(JdbcApiKeyRegistries.SCHEMA)
                        .jdbc()
                        .sql("EXPLAIN " + KeyCounter.COUNT)
                        .param("namespace", "live")
                        .param("now", 0L)
                        .param("unusedSince", 0L)
                        .param("expiringBefore", 0L)
                        .param("most", KeyCounts.MOST)
                        .query((row, index) -> row.getString(1))
                        .list());
    }
}
