package io.credential.webhook.replay;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.replay.internal.JdbcNonceStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@BothDatabases
class JdbcNonceStoreTests extends NonceStoreContract {

    private final TestDatabase testDatabase;

    JdbcNonceStoreTests(TestDatabase testDatabase) {
        this.testDatabase = testDatabase;
    }

    @Override
    NonceStore newStore() {
        return new JdbcNonceStore(testDatabase.migrate(JdbcNonceStore.SCHEMA), clock);
    }

    @AfterEach
    void removeNonces() {
        testDatabase
                .migrate(JdbcNonceStore.SCHEMA)
                .jdbc()
                .sql("DELETE FROM _credential_nonces")
                .update();
    }

    @Test
    void checkAndInsertWhenDatabaseIsSharedThenInsertsOnce() {
        assertThat(newStore().checkAndInsert("a", in(60))).isTrue();
        assertThat(newStore().checkAndInsert("a", in(60))).isFalse();
    }

    @Test
    void countThenStopsAtTheLimitAndOmitsVerifiers() {
        JdbcNonceStore store = new JdbcNonceStore(testDatabase.migrate(JdbcNonceStore.SCHEMA), clock);
        store.rememberedSince("partner", Duration.ofMinutes(5));
        for (String nonce : new String[] {"a", "b", "c"}) {
            store.checkAndInsert(nonce, in(60));
        }

        assertThat(store.count(10)).isEqualTo(3);
        assertThat(store.count(2)).isEqualTo(2);
    }

    @Test
    void checkAndInsertWhenInTransactionThenJoinsIt() {
        NonceStore store = newStore();

        assertThatIllegalStateException()
                .isThrownBy(() -> testDatabase.migrate(JdbcNonceStore.SCHEMA).inTransaction(() -> {
                    assertThat(store.checkAndInsert("a", in(60))).isTrue();
                    assertThat(store.checkAndInsert("a", in(60))).isFalse();
                    throw new IllegalStateException("processing failed");
                }));

        assertThat(store.checkAndInsert("a", in(60))).isTrue();
    }

    @Test
    void checkAndInsertWhenNoAutoCommitThenCommits() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(testDatabase.dataSource());
            pool.setAutoCommit(false);
            pool.setMaximumPoolSize(1);
            NonceStore store = new JdbcNonceStore(CredentialDatabase.of(pool), clock);

            assertThat(store.checkAndInsert("a", in(60))).isTrue();
        }

        assertThat(newStore().checkAndInsert("a", in(60))).isFalse();
    }

    /** No clock of a node takes part. */
    @Test
    void insertWhenPastByTheDatabaseClockThenRefused() {
        NonceStore store = new JdbcNonceStore(testDatabase.migrate(JdbcNonceStore.SCHEMA));
        Instant now = Instant.now();

        assertThat(store.checkAndInsert("past", now.minusSeconds(600))).isFalse();
        assertThat(store.checkAndInsert("live", now.plusSeconds(600))).isTrue();
        assertThat(store.checkAndInsert("live", now.plusSeconds(600))).isFalse();
        assertThat(store.rememberedSince("partner", Duration.ofMinutes(6)))
                .isBetween(now.minusSeconds(600), now.plusSeconds(600));
    }

    @Test
    void cleaningWhenSomeExpiredThenOnlyLiveRowsStay() {
        NonceStore store = newStore();
        for (int i = 0; i < 300; i++) {
            store.checkAndInsert("old " + i, in(60));
        }
        store.checkAndInsert("live", in(6000));
        clock.advance(Duration.ofSeconds(60));

        for (int i = 0; i < 200; i++) {
            store.checkAndInsert("new " + i, in(60));
        }

        assertThat(rows()).isEqualTo(201);
        assertThat(store.checkAndInsert("live", in(60))).isFalse();
    }

    @Test
    void checkAndInsertWhenTableIsMissingThenThrows() {
        try (TestDatabase empty = TestDatabase.create(testDatabase.kind())) {
            NonceStore store = new JdbcNonceStore(CredentialDatabase.of(empty.dataSource()), clock);

            assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> store.checkAndInsert("a", in(60)));
        }
    }

    private int rows() {
        return testDatabase
                .database()
                .jdbc()
                .sql("SELECT count(*) FROM _credential_nonces")
                .query(Integer.class)
                .single();
    }
}
