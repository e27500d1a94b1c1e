package io.credential.ratelimit;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.ratelimit.internal.JdbcBucketStore;
import io.credential.ratelimit.internal.RateLimiterContract;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A limiter on buckets in PostgreSQL, of one node and of several. */
class JdbcRateLimiterTests extends RateLimiterContract {

    private static final int NODES = 3;

    private final TestDatabase testDatabase = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final CredentialDatabase database = testDatabase.migrate(JdbcBucketStore.SCHEMA);
    private final RecordedStatements statements = new RecordedStatements(testDatabase.dataSource());

    @Override
    protected RateLimiter newLimiter() {
        return sharedOn(new JdbcBucketStore(CredentialDatabase.of(statements), clock));
    }

    @AfterEach
    void removeDatabase() {
        testDatabase.close();
    }

    @Test
    void tryAcquireWhenNodesShareABucketThenOneLimitApplies() {
        RateLimit limit = new RateLimit(100, Duration.ofSeconds(60));
        List<HikariDataSource> pools = new ArrayList<>();
        List<RateLimiter> nodes = new ArrayList<>();
        try {
            for (int node = 0; node < NODES; node++) {
                HikariDataSource pool = new HikariDataSource();
                pool.setJdbcUrl(testDatabase.jdbcUrl());
                pool.setMaximumPoolSize(4);
                pools.add(pool);
                nodes.add(sharedOn(new JdbcBucketStore(CredentialDatabase.of(pool), clock)));
            }
            for (int window = 0; window < 3; window++) {
                AtomicInteger caller = new AtomicInteger();
                int allowed = InParallel.run(24, () -> {
                            RateLimiter node = nodes.get(caller.getAndIncrement() % NODES);
                            int successes = 0;
                            for (int i = 0; i < 50; i++) {
                                successes += node.tryAcquire("shared", limit).allowed() ? 1 : 0;
                            }
                            return successes;
                        })
                        .stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                assertThat(allowed).as("of 1200 requests in window %d", window).isEqualTo(100);
                clock.advance(Duration.ofSeconds(60));
            }
        } finally {
            pools.forEach(HikariDataSource::close);
        }
    }

    @Test
    void quotaWhenNodesShareItThenCountedExactly() {
        Quota quota = new Quota(100, Quota.Period.MONTH, ZoneOffset.UTC);
        List<RateLimiter> nodes = List.of(newLimiter(), newLimiter(), newLimiter());
        AtomicInteger caller = new AtomicInteger();

        int allowed = InParallel.countSuccesses(
                6,
                30,
                round -> nodes.get(caller.getAndIncrement() % nodes.size())
                        .tryAcquire("shared", quota)
                        .allowed());

        assertThat(allowed).isEqualTo(100);
        clock.advance(Duration.ofDays(30));
        assertThat(newLimiter().tryAcquire("shared", quota).allowed())
                .as("after a restart")
                .isFalse();
        assertThat(new JdbcBucketStore(database, clock).purgeExpired()).isZero();
    }

    @Test
    void tryAcquireWhenRefusedBeforeThenMakesNoStatements() {
        exhaust("a");
        assertThat(limiter.tryAcquire("a", THREE).allowed()).isFalse();
        statements.clear();

        InParallel.countSuccesses(
                8, 100, round -> limiter.tryAcquire("a", THREE).allowed());

        assertThat(statements.statements()).isEmpty();
    }

    @Test
    void tryAcquireWhenAllowedThenReadsAndWritesOnce() {
        limiter.tryAcquire("a", THREE);
        statements.clear();

        limiter.tryAcquire("a", THREE);

        assertThat(statements.statements())
                .extracting(sql -> sql.substring(0, 6))
                .containsExactly("SELECT", "UPDATE");
    }

    @Test
    void tryAcquireWhenTheClockWasSetBackThenAsksTheStore() {
        exhaust("a");
        limiter.tryAcquire("a", THREE);
        clock.advance(Duration.ofSeconds(-30));
        statements.clear();

        assertThat(limiter.tryAcquire("a", THREE).allowed()).isFalse();
        assertThat(statements.statements()).isNotEmpty();
    }

    @Test
    void tryAcquireWhenTheCallerRollsBackThenItStillCounts() {
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(statements));
        transaction.executeWithoutResult(status -> {
            exhaust("a");
            status.setRollbackOnly();
        });

        assertThat(newLimiter().tryAcquire("a", THREE).allowed()).isFalse();
    }

    @Test
    void tryAcquireWhenTheDatabaseIsGoneThenUnavailable() {
        testDatabase.dataSource().close();

        assertThatExceptionOfType(RateLimiterUnavailableException.class)
                .isThrownBy(() -> limiter.tryAcquire("a", THREE))
                .withMessageContaining("retry later");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "7f", "0100000002", "ffffffffffffffffffffffffff"})
    void tryAcquireWhenStateIsGarbageThenCountsFromZero(String hex) {
        exhaust("a");
        database.jdbc()
                .sql("UPDATE _credential_rate_limits SET state = decode(repeat(:hex, 100), 'hex')")
                .param("hex", hex)
                .update();

        assertThat(newLimiter().tryAcquire("a", THREE).remaining()).isEqualTo(2);
        assertThat(newLimiter().tryAcquire("a", THREE).remaining()).isEqualTo(1);
    }

    @Test
    void tryAcquireWhenRowWasDeletedThenCountsFromZero() {
        exhaust("a");
        database.jdbc().sql("DELETE FROM _credential_rate_limits").update();

        assertThat(newLimiter().tryAcquire("a", THREE).remaining()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 8, 12, 16, 20, 24, 28, 32})
    void tryAcquireWhenFourBytesChangedThenAnswers(int offset) {
        limiter.tryAcquire("a", THREE);
        database.jdbc()
                .sql(
                        "UPDATE _credential_rate_limits SET state = overlay(state PLACING '\\x7fffffff'::bytea FROM :from)")
                .param("from", offset + 1)
                .update();

        assertThat(newLimiter().tryAcquire("a", THREE).remaining()).isBetween(0L, 2L);
    }

    @Test
    void purgeExpiredThenOnlyFullBucketsAreRemoved() {
        JdbcBucketStore store = new JdbcBucketStore(database, clock);
        exhaust("old");
        clock.advance(Duration.ofSeconds(100));
        exhaust("young");
        clock.advance(Duration.ofSeconds(20));

        assertThat(store.purgeExpired()).isEqualTo(1);
        assertThat(store.purgeExpired()).isZero();
        assertThat(newLimiter().tryAcquire("young", THREE).allowed()).isFalse();
    }

    @Test
    void purgeExpiredWhenThereAreManyThenRemovesInBatches() {
        database.jdbc().sql("""
                        INSERT INTO _credential_rate_limits (bucket, state, expires_at)
                        SELECT 'b' || n, '', 0 FROM generate_series(1, 2500) n""").update();
        JdbcBucketStore store = new JdbcBucketStore(CredentialDatabase.of(statements), clock);
        statements.clear();

        assertThat(store.purgeExpired()).isEqualTo(2500);
        assertThat(statements.statements()).hasSize(3);
    }

    @Test
    void newWhenTheDatabaseIsSqliteThenFails() {
        try (TestDatabase sqlite = TestDatabase.create(DatabaseKind.SQLITE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new JdbcBucketStore(sqlite.database(), clock))
                    .withMessageContaining("PostgreSQL");
        }
    }
}
