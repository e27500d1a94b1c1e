package io.credential.storage;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.testing.EveryPool;
import io.credential.testing.InParallel;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Our own statements and transactions are READ COMMITTED and commit, whatever the pool is set to. */
@EveryPool
class PoolSettingsTests {

    private final TestDatabase test;
    private final CredentialDatabase database;

    PoolSettingsTests(TestDatabase test) {
        this.test = test;
        this.database = test.database();
    }

    @BeforeEach
    void empty() {
        database.jdbc().sql("DELETE FROM _credential_key_checks").update();
    }

    @Test
    void statementWhenOnItsOwnThenCommits() throws SQLException {
        insert("a");

        assertThat(committed()).containsExactly("a");
    }

    @Test
    void batchUpdateWhenOnItsOwnThenCommits() throws SQLException {
        database.batchUpdate(
                "INSERT INTO _credential_key_checks VALUES ('a', 'x')", List.of(new MapSqlParameterSource()));

        assertThat(committed()).containsExactly("a");
    }

    @Test
    void autoCommitThenCommits() throws SQLException {
        database.write(() -> insert("a"));

        assertThat(committed()).containsExactly("a");
    }

    @Test
    void autoCommitWhenStatementFailsThenConnectionIsUsable() throws SQLException {
        insert("a");
        assertThatThrownBy(() -> database.write(() -> insert("a"))).isInstanceOf(RuntimeException.class);

        database.write(() -> insert("b"));

        assertThat(committed()).containsExactly("a", "b");
    }

    @Test
    void isolationThenReadCommittedForAllThatIsOurs() {
        assertThat(isolation()).isEqualTo("read committed");
        assertThat(database.inTransaction(this::isolation)).isEqualTo("read committed");
        assertThat(database.write(this::isolation)).isEqualTo("read committed");
    }

    @Test
    void inTransactionThenSeesWhatOthersCommitMeanwhile() {
        int seen = database.inTransaction(() -> {
            int before = count();
            InParallel.elsewhere(() -> insert("a"));
            return count() - before;
        });

        assertThat(seen).isEqualTo(1);
    }

    @Test
    void inTransactionWhenRowChangedMeanwhileThenNoFailure() {
        insert("a");

        int changed = database.inTransaction(() -> {
            count();
            InParallel.elsewhere(this::update);
            return update();
        });

        assertThat(changed).isEqualTo(1);
    }

    @Test
    void inTransactionWhenCallersIsStricterThenJoinsIt() {
        insert("a");

        assertThatExceptionOfType(ConcurrencyFailureException.class)
                .isThrownBy(() -> callers(TransactionDefinition.ISOLATION_REPEATABLE_READ)
                        .executeWithoutResult(status -> {
                            count();
                            InParallel.elsewhere(this::update);
                            database.inTransaction(this::update);
                        }));
    }

    @Test
    void inTransactionWhenManagerValidatesThenJoins() {
        TransactionTemplate callers = callers(TransactionDefinition.ISOLATION_SERIALIZABLE);
        CredentialDatabase managed =
                CredentialDatabase.of(test.dataSource(), Objects.requireNonNull(callers.getTransactionManager()));

        String isolation = callers.execute(status -> managed.inTransaction(this::isolation));

        assertThat(isolation).isEqualTo("serializable");
    }

    @Test
    void ofWhenInCallersTransactionThenStillReadCommitted() throws SQLException {
        CredentialDatabase late = callers(TransactionDefinition.ISOLATION_DEFAULT)
                .execute(status -> CredentialDatabase.of(test.dataSource()));

        late.jdbc().sql("INSERT INTO _credential_key_checks VALUES ('a', 'x')").update();

        assertThat(committed()).containsExactly("a");
        assertThat(late.inTransaction(this::isolation)).isEqualTo("read committed");
    }

    @Test
    void migrateThenGivesConnectionBackAsItWas() throws SQLException {
        try (Connection lent = test.dataSource().getConnection()) {
            boolean autoCommit = lent.getAutoCommit();
            int isolation = lent.getTransactionIsolation();
            CredentialDatabase single = CredentialDatabase.of(new SingleConnectionDataSource(lent, true));

            new SchemaMigrator(single, SchemaScripts.CORE).run(SchemaMode.MIGRATE);
            single.write(() -> 0);

            assertThat(lent.getAutoCommit()).isEqualTo(autoCommit);
            assertThat(lent.getTransactionIsolation()).isEqualTo(isolation);
        }
    }

    private TransactionTemplate callers(int isolation) {
        JdbcTransactionManager manager = new JdbcTransactionManager(test.dataSource());
        manager.setValidateExistingTransaction(true);
        TransactionTemplate callers = new TransactionTemplate(manager);
        callers.setIsolationLevel(isolation);
        return callers;
    }

    private int insert(String keyId) {
        return database.jdbc()
                .sql("INSERT INTO _credential_key_checks (key_id, check_value) VALUES (:keyId, 'x')")
                .param("keyId", keyId)
                .update();
    }

    private int update() {
        return database.jdbc()
                .sql("UPDATE _credential_key_checks SET check_value = check_value || 'y'")
                .update();
    }

    private int count() {
        return database.jdbc()
                .sql("SELECT count(*) FROM _credential_key_checks")
                .query(Integer.class)
                .single();
    }

    private String isolation() {
        return database.jdbc()
                .sql("SELECT current_setting('transaction_isolation')")
                .query(String.class)
                .single();
    }

    /** As another process sees it. */
    private List<@Nullable String> committed() throws SQLException {
        try (Connection other = DriverManager.getConnection(test.jdbcUrl())) {
            return CredentialDatabase.of(new SingleConnectionDataSource(other, true))
                    .jdbc()
                    .sql("SELECT key_id FROM _credential_key_checks ORDER BY key_id")
                    .query(String.class)
                    .list();
        }
    }
}
