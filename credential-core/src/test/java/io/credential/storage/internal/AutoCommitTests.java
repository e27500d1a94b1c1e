package io.credential.storage.internal;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.StallingProxy;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** On PostgreSQL, a statement outside a transaction commits by itself. Neither it nor a new transaction waits without a limit. */
class AutoCommitTests {

    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final CredentialDatabase direct = test.database();
    private final AtomicLong nanos = new AtomicLong();
    private StallingProxy proxy;
    private HikariDataSource pool;
    private CredentialDatabase database;

    @BeforeEach
    void connect() throws IOException {
        proxy = new StallingProxy(test.jdbcUrl());
        pool = pool(proxy.jdbcUrl());
        database = CredentialDatabase.of(pool, nanos::get);
    }

    private static HikariDataSource pool(String jdbcUrl) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(1);
        pool.setAutoCommit(false);
        return pool;
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        pool.close();
        test.close();
    }

    @Test
    void autoCommitWhenOffInPoolThenCommitsAndRestores() throws Exception {
        try (Connection connection = DriverManager.getConnection(test.jdbcUrl())) {
            connection.setAutoCommit(false);
            CredentialDatabase single = CredentialDatabase.of(new SingleConnectionDataSource(connection, true));

            single.write(() -> insert(single, "own", "x"));

            assertThat(keyIds()).containsExactly("own");
            assertThat(connection.getAutoCommit()).isFalse();
        }
    }

    @Test
    void autoCommitWhenCallerHasEndedThenUsesOwnConnection() {
        HikariDataSource two = new HikariDataSource();
        two.setJdbcUrl(test.jdbcUrl());
        try (two) {
            CredentialDatabase own = CredentialDatabase.of(two);
            new TransactionTemplate(new JdbcTransactionManager(two)).executeWithoutResult(status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int outcome) {
                        own.write(() -> insert(own, "after", "x"));
                        assertThat(keyIds()).containsExactly("after");
                    }
                });
                status.setRollbackOnly();
            });

            assertThat(keyIds()).containsExactly("after");
        }
    }

    @Test
    void autoCommitWhenTheCallerHasATransactionThenPartOfIt() {
        new TransactionTemplate(new JdbcTransactionManager(pool)).executeWithoutResult(status -> {
            database.write(() -> insert("callers"));
            assertThat(keyIds()).isEmpty();
            status.setRollbackOnly();
        });

        assertThat(keyIds()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16 * 1024 * 1024})
    void autoCommitWhenTheServerIsCutOffThenGivenUp(int size) {
        database.write(() -> insert("before"));
        String large = "x".repeat(size); // more than any buffer takes: the client hangs while it writes
        proxy.stall();
        FutureTask<Integer> during = new FutureTask<>(() -> database.write(() -> insert(database, "during", large)));
        new Thread(during, "cut-off").start();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> getInTheEnd(during))
                .withCauseInstanceOf(DataAccessException.class);

        proxy.resume();
        database.write(() -> insert("after"));
        assertThat(keyIds()).contains("before", "after");
    }

    @Test
    void limitedWhenCutOffBeforeStatementThenGivenUp() {
        // The driver tries to cancel the statement, too, which the proxy holds back for as long as the driver waits.
        try (HikariDataSource impatient = pool(proxy.jdbcUrl() + "&cancelSignalTimeout=1")) {
            CredentialDatabase limited = CredentialDatabase.of(impatient, nanos::get);
            assertThatGivenUp(limited, () -> {
                proxy.stall();
                return insert(limited, "during", "x");
            });
        }
    }

    @Test
    void limitedWhenCutOffBeforeCommitThenGivenUp() {
        assertThatGivenUp(database, () -> {
            int inserted = insert("during");
            proxy.stall();
            return inserted;
        });
    }

    private void assertThatGivenUp(CredentialDatabase limited, Supplier<Integer> work) {
        FutureTask<Integer> during = new FutureTask<>(() -> limited.inTransaction(Duration.ofSeconds(1), work));
        new Thread(during, "cut-off").start();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> getInTheEnd(during))
                .havingCause()
                .isInstanceOfAny(DataAccessException.class, TransactionException.class);

        proxy.resume();
        limited.inTransaction(Duration.ofMinutes(1), () -> insert(limited, "after", "x"));
        assertThat(keyIds()).contains("after");
    }

    /** The clock passes every limit, whenever its time begins. */
    private <T> T getInTheEnd(FutureTask<T> task) throws ExecutionException {
        Patience.until(() -> {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            Deadline.lookNow();
            return task.isDone();
        });
        return Patience.get(task);
    }

    @Test
    void queryWhenTheServerIsCutOffThenGivenUp() {
        database.write(() -> insert("before"));
        proxy.stall();
        FutureTask<String> during = new FutureTask<>(this::firstKeyId);
        new Thread(during, "cut-off").start();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> getInTheEnd(during))
                .withCauseInstanceOf(DataAccessException.class);

        proxy.resume();
        assertThat(firstKeyId()).isEqualTo("before");
    }

    @Test
    void queryWhenCallerHasATransactionThenPartOfIt() {
        new TransactionTemplate(new JdbcTransactionManager(pool)).executeWithoutResult(status -> {
            database.write(() -> insert("callers"));
            assertThat(firstKeyId()).isEqualTo("callers");
            status.setRollbackOnly();
        });
    }

    @Test
    void queryWhenWrongThenTranslated() {
        assertThatExceptionOfType(BadSqlGrammarException.class)
                .isThrownBy(() -> database.read("SELECT nothing", parameters -> {}, ResultSet::next));
    }

    @Test
    void autoCommitWhenAnotherHoldsTheLockThenCancelled() {
        assertThatCancelled(() -> database.write(() -> insert("late")));
    }

    @Test
    void statementWhenAnotherHoldsTheLockThenCancelled() {
        assertThatCancelled(() -> insert("late"));
    }

    @Test
    void queryWhenAnotherHoldsTheLockThenCancelled() {
        assertThatCancelled(this::firstKeyId);
    }

    private <T> void assertThatCancelled(Callable<T> work) {
        direct.inTransaction(() -> {
            direct.jdbc().sql("LOCK TABLE _credential_key_checks").update();
            FutureTask<T> late = new FutureTask<>(work);
            new Thread(late, "late").start();
            Patience.until(() -> direct.jdbc()
                            .sql("SELECT count(*) FROM pg_locks"
                                    + " WHERE relation = '_credential_key_checks'::regclass AND NOT granted")
                            .query(Integer.class)
                            .single()
                    == 1);

            nanos.addAndGet(
                    Duration.ofSeconds(9).toNanos()); // late, but the server still has time for the cancellation
            Deadline.lookNow();

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> Patience.get(late))
                    .withCauseInstanceOf(QueryTimeoutException.class);
            return null;
        });
        assertThat(keyIds()).isEmpty();
    }

    @Test
    void transactionWhenTheServerIsCutOffThenGivenUp() {
        database.inTransaction(() -> insert("before"));
        FutureTask<Integer> during = new FutureTask<>(() -> database.inTransaction(() -> {
            proxy.stall();
            return insert("during");
        }));
        new Thread(during, "cut-off").start();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> getInTheEnd(during))
                .withCauseInstanceOf(TransactionException.class);

        proxy.resume();
        database.inTransaction(() -> insert("after"));
        assertThat(keyIds()).contains("before", "after");
    }

    private String firstKeyId() {
        return database.read("SELECT key_id FROM _credential_key_checks", parameters -> {}, rows -> {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        });
    }

    private int insert(String keyId) {
        return insert(database, keyId, "x");
    }

    private static int insert(CredentialDatabase into, String keyId, String value) {
        return into.jdbc()
                .sql("INSERT INTO _credential_key_checks (key_id, check_value) VALUES (:keyId, :value)")
                .param("keyId", keyId)
                .param("value", value)
                .update();
    }

    private List<@Nullable String> keyIds() {
        return direct.jdbc()
                .sql("SELECT key_id FROM _credential_key_checks")
                .query(String.class)
                .list();
    }
}
