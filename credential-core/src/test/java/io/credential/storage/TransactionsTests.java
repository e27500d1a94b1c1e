package io.credential.storage;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@BothDatabases
class TransactionsTests {

    private static final int THREADS = 8;

    private final TestDatabase testDatabase;
    private final CredentialDatabase database;
    private final TransactionTemplate callers;

    TransactionsTests(TestDatabase testDatabase) {
        this.testDatabase = testDatabase;
        this.database = testDatabase.database();
        this.callers = new TransactionTemplate(new JdbcTransactionManager(testDatabase.dataSource()));
    }

    @BeforeEach
    void empty() {
        database.jdbc().sql("delete from _credential_key_checks").update();
        database.jdbc().sql("delete from _credential_leases").update();
    }

    @Test
    void inTransactionWhenContendedThenIncrementsAreStored() {
        database.jdbc()
                .sql("insert into _credential_leases (name, holder, epoch, expires_at) values ('counter', '', 0, 0)")
                .update();

        int acknowledged = InParallel.countSuccesses(THREADS, 30, round -> {
            if (round % 3 == 0) {
                assertThatThrownBy(() -> database.inTransaction(() -> {
                            increment();
                            throw new ExpectedException();
                        }))
                        .isInstanceOf(ExpectedException.class);
                return false;
            }
            database.inTransaction(() -> {
                increment();
                return null;
            });
            return true;
        });

        assertThat(acknowledged).isEqualTo(THREADS * 20);
        assertThat(counter()).isEqualTo(acknowledged);
    }

    @Test
    void inTransactionWhenWorkThrowsThenNothingIsStored() {
        assertThatThrownBy(() -> database.inTransaction(() -> {
                    insert("rolled-back");
                    throw new ExpectedException();
                }))
                .isInstanceOf(ExpectedException.class);

        assertThat(keyIds()).isEmpty();
    }

    @Test
    void inTransactionThenReturnsWhatTheWorkReturns() {
        String result = database.inTransaction(() -> {
            insert("kept");
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(keyIds()).containsExactly("kept");
    }

    @Test
    void inTransactionWhenCallerHasOneThenJoinsIt() {
        callers.executeWithoutResult(callersStatus -> {
            database.inTransaction(() -> {
                insert("joined");
                return null;
            });
            callersStatus.setRollbackOnly();
        });

        assertThat(keyIds()).isEmpty();
    }

    @Test
    void statementWhenCallerHasATransactionThenJoinsIt() {
        callers.executeWithoutResult(status -> {
            insert("joined");
            status.setRollbackOnly();
        });

        assertThat(keyIds()).isEmpty();
    }

    @Test
    void inTransactionWhenDataSourceIsProxyThenJoinsCallers() {
        CredentialDatabase proxied =
                CredentialDatabase.of(new TransactionAwareDataSourceProxy(testDatabase.dataSource()));
        List<String> events = new ArrayList<>();

        callers.executeWithoutResult(status -> {
            proxied.inTransaction(() -> {
                insert(proxied, "joined");
                return null;
            });
            assertThat(keyIds()).containsExactly("joined");
            proxied.afterCommit(() -> events.add("committed"));
            status.setRollbackOnly();
        });

        assertThat(keyIds()).isEmpty();
        assertThat(events).isEmpty();
    }

    @Test
    void dataSourceWhenProxyThenIsItsTarget() {
        assertThat(CredentialDatabase.of(new TransactionAwareDataSourceProxy(testDatabase.dataSource()))
                        .dataSource())
                .isSameAs(testDatabase.dataSource());
    }

    @Test
    void inTransactionWhenManagerIsGivenThenItCommits() {
        JdbcTransactionManager manager = new JdbcTransactionManager(testDatabase.dataSource());
        List<String> events = new ArrayList<>();
        manager.addListener(new TransactionExecutionListener() {
            @Override
            public void beforeCommit(TransactionExecution transaction) {
                events.add("commits " + keyIds());
            }
        });
        CredentialDatabase managed = CredentialDatabase.of(testDatabase.dataSource(), manager);

        managed.inTransaction(() -> {
            insert(managed, "managed");
            return null;
        });

        assertThat(events).containsExactly("commits [managed]");
        assertThat(seenByOthers()).containsExactly("managed");
    }

    /** Statements would not be part of its transactions. */
    @Test
    void inTransactionWhenNotBoundToThreadThenRefused() {
        JdbcTransactionManager manager = new JdbcTransactionManager(testDatabase.dataSource());
        manager.setTransactionSynchronization(JdbcTransactionManager.SYNCHRONIZATION_NEVER);
        CredentialDatabase managed = CredentialDatabase.of(testDatabase.dataSource(), manager);

        assertThatIllegalStateException()
                .isThrownBy(() -> managed.inTransaction(() -> "work"))
                .withMessageContaining("JdbcTransactionManager with transaction synchronization");
    }

    @Test
    void afterCompletionWhenNoTransactionThenRunsAtOnce() {
        List<String> events = new ArrayList<>();

        database.afterCompletion(() -> events.add("ran"));

        assertThat(events).containsExactly("ran");
    }

    @Test
    void afterCommitWhenNoTransactionThenRunsAtOnce() {
        List<String> events = new ArrayList<>();

        database.afterCommit(() -> events.add("ran"));

        assertThat(events).containsExactly("ran");
    }

    @Test
    void afterCommitWhenInTransactionThenRunsOnceCommitted() {
        List<String> events = new ArrayList<>();

        database.inTransaction(() -> {
            insert("committed");
            database.afterCommit(() -> events.add("stored " + seenByOthers()));
            events.add("work done");
            return null;
        });

        assertThat(events).containsExactly("work done", "stored [committed]");
    }

    @Test
    void afterCommitThenActionCanStillJoin() {
        List<Boolean> joins = new ArrayList<>();

        callers.executeWithoutResult(status -> {
            insert("committed");
            database.afterCommit(() -> joins.add(database.isInTransaction()));
        });

        assertThat(joins).containsExactly(true);
    }

    @Test
    void afterCommitWhenRolledBackThenNeverRuns() {
        List<String> events = new ArrayList<>();

        callers.executeWithoutResult(status -> {
            database.inTransaction(() -> {
                database.afterCommit(() -> events.add("ran"));
                return null;
            });
            status.setRollbackOnly();
        });

        assertThat(events).isEmpty();
    }

    @Test
    void afterCommitWhenSavepointIsRolledBackThenNeverRuns() {
        List<String> events = new ArrayList<>();

        callers.executeWithoutResult(status -> {
            Object before = status.createSavepoint();
            nested(() -> database.afterCommit(() -> events.add("undone")), true);
            nested(() -> database.afterCommit(() -> events.add("kept")), false);
            nested(() -> insert("undone"), true);
            status.releaseSavepoint(before);
        });

        assertThat(events).containsExactly("kept");
        assertThat(keyIds()).isEmpty();
    }

    @Test
    void afterCommitWhenAnotherCallbackFailsThenRuns() {
        List<String> events = new ArrayList<>();

        assertThatThrownBy(() -> callers.executeWithoutResult(status -> {
                    insert("committed");
                    onCommit(() -> {
                        throw new ExpectedException();
                    });
                    database.afterCommit(() -> events.add("ran"));
                }))
                .isInstanceOf(ExpectedException.class);

        assertThat(keyIds()).containsExactly("committed");
        assertThat(events).containsExactly("ran");
    }

    @Test
    void afterCommitWhenChangedByACallbackThenRuns() {
        assertRunsWhenChangedBy(TransactionsTests::onCommit);
    }

    @Test
    void afterCommitWhenChangedAfterCompletionThenRuns() {
        assertRunsWhenChangedBy(TransactionsTests::afterCompletion);
    }

    private void assertRunsWhenChangedBy(Consumer<Runnable> callback) {
        List<String> events = new ArrayList<>();

        callers.executeWithoutResult(status -> {
            insert("first");
            callback.accept(() -> database.inTransaction(() -> {
                insert("late");
                database.afterCommit(() -> events.add("ran"));
                return null;
            }));
        });

        assertThat(keyIds()).containsExactlyInAnyOrder("first", "late");
        assertThat(events).containsExactly("ran");
    }

    /** As a {@code @TransactionalEventListener} does. */
    @Test
    void inTransactionWhenAfterAnotherThenOfItsOwn() {
        List<@Nullable String> seen = new ArrayList<>();

        callers.executeWithoutResult(status -> afterCompletion(() -> {
            database.inTransaction(() -> {
                insert("late");
                return null;
            });
            seen.addAll(seenByOthers());
        }));

        assertThat(seen).containsExactly("late");
    }

    private static void afterCompletion(Runnable change) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                change.run();
            }
        });
    }

    @Test
    void inTransactionWhenOfAnotherManagerThenRefused() {
        new TransactionTemplate(new ExposingManager(testDatabase.dataSource())).executeWithoutResult(status -> {
            insert("callers");

            assertThatIllegalStateException()
                    .isThrownBy(() -> database.inTransaction(() -> "work"))
                    .withMessageContaining("transaction manager other than");
            assertThat(seenByOthers()).isEmpty();
        });

        assertThat(keyIds()).containsExactly("callers");
    }

    @Test
    void inTransactionWhenTheWorkFailsThenItsException() {
        ExposingManager manager = new ExposingManager(testDatabase.dataSource());
        CredentialDatabase joining = CredentialDatabase.of(testDatabase.dataSource(), manager);
        IllegalTransactionStateException failure = new IllegalTransactionStateException("of the work");

        assertThatThrownBy(() -> new TransactionTemplate(manager)
                        .execute(callers -> joining.inTransaction(() -> {
                            throw failure;
                        })))
                .isSameAs(failure);
    }

    @Test
    void isInTransactionWhenOnAnotherDataSourceThenFalse() {
        try (TestDatabase other = TestDatabase.create(DatabaseKind.SQLITE)) {
            List<Boolean> answers = new ArrayList<>();

            new TransactionTemplate(new JdbcTransactionManager(other.dataSource())).executeWithoutResult(status -> {
                keyIds();
                answers.add(database.isInTransaction());
                new JdbcTemplate(testDatabase.dataSource()).execute("select 1"); // keeps its connection bound
                answers.add(database.isInTransaction());
                database.inTransaction(() -> answers.add(database.isInTransaction()));
                answers.add(database.isInTransaction());
            });

            assertThat(answers).containsExactly(false, false, true, false);
        }
    }

    @Test
    void afterCommitWhenOnAnotherDataSourceThenRunsAtOnce() {
        try (TestDatabase other = TestDatabase.create(DatabaseKind.SQLITE)) {
            List<String> events = new ArrayList<>();

            new TransactionTemplate(new JdbcTransactionManager(other.dataSource())).executeWithoutResult(status -> {
                database.afterCommit(() -> events.add("ran"));
                events.add("caller done");
            });

            assertThat(events).containsExactly("ran", "caller done");
        }
    }

    @Test
    void insertWhenKeyIsThereThenDuplicateKeyException() {
        insert("once");

        assertThatThrownBy(() -> insert("once")).isInstanceOf(DuplicateKeyException.class);
    }

    @Test
    void batchUpdateThenTellsWhichRowsChanged() {
        insert("a");
        insert("c");

        int[] changed = database.batchUpdate(
                "update _credential_key_checks set check_value = :value where key_id = :keyId",
                List.of(row("a"), row("b"), row("c")));

        assertThat(changed).containsExactly(1, 0, 1);
    }

    private static SqlParameterSource row(String keyId) {
        return new MapSqlParameterSource("keyId", keyId).addValue("value", "changed");
    }

    private void nested(Runnable work, boolean rollBack) {
        TransactionTemplate nested =
                new TransactionTemplate(Objects.requireNonNull(callers.getTransactionManager()), callers);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        nested.executeWithoutResult(status -> {
            work.run();
            if (rollBack) {
                status.setRollbackOnly();
            }
        });
    }

    private static void onCommit(Runnable callback) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                callback.run();
            }
        });
    }

    private void increment() {
        database.jdbc()
                .sql("update _credential_leases set epoch = epoch + 1 where name = 'counter'")
                .update();
    }

    private int counter() {
        return database.jdbc()
                .sql("select epoch from _credential_leases where name = 'counter'")
                .query(Integer.class)
                .single();
    }

    private void insert(String keyId) {
        insert(database, keyId);
    }

    private static void insert(CredentialDatabase database, String keyId) {
        database.jdbc()
                .sql("insert into _credential_key_checks (key_id, check_value) values (:keyId, 'x')")
                .param("keyId", keyId)
                .update();
    }

    private List<@Nullable String> keyIds() {
        return database.jdbc()
                .sql("select key_id from _credential_key_checks")
                .query(String.class)
                .list();
    }

    private List<@Nullable String> seenByOthers() {
        return InParallel.elsewhere(this::keyIds);
    }

    /** Binds the connection of its transactions as the managers of JPA and Hibernate do. */
    private static final class ExposingManager extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient DataSource dataSource;

        ExposingManager(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return TransactionSynchronizationManager.hasResource(dataSource);
        }

        @Override
        protected void doSetRollbackOnly(DefaultTransactionStatus status) {
            // The test fails the transaction anyway.
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            run(() -> {
                Connection connection = dataSource.getConnection();
                connection.setAutoCommit(false);
                TransactionSynchronizationManager.bindResource(dataSource, new ConnectionHolder(connection));
            });
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            run(() -> bound().commit());
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            run(() -> bound().rollback());
        }

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            run(() -> {
                Connection connection = bound();
                TransactionSynchronizationManager.unbindResource(dataSource);
                connection.setAutoCommit(true);
                connection.close();
            });
        }

        private Connection bound() {
            return ((ConnectionHolder)
                            Objects.requireNonNull(TransactionSynchronizationManager.getResource(dataSource)))
                    .getConnection();
        }

        private static void run(JdbcWork work) {
            try {
                work.run();
            } catch (SQLException e) {
                throw new TransactionSystemException("The database failed", e);
            }
        }

        private interface JdbcWork {
            void run() throws SQLException;
        }
    }

    private static final class ExpectedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
