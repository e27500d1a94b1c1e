package io.credential.storage;

import java.sql.SQLException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.testing.Patience;
import io.credential.testing.RestartablePostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OutageIT {

    private static final long CONNECTION_TIMEOUT_MILLIS = 2_000;

    private final RestartablePostgres server = RestartablePostgres.started();
    private final HikariDataSource pool = new HikariDataSource();
    private CredentialDatabase database;

    @BeforeEach
    void connect() {
        pool.setJdbcUrl(server.jdbcUrl());
        pool.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        database = CredentialDatabase.of(pool);
        new SchemaMigrator(database, SchemaScripts.CORE).run(SchemaMode.MIGRATE);
    }

    @AfterEach
    void close() {
        pool.close();
        server.close();
    }

    @Test
    void outageThenFailsWhatRunsUntilTheServerIsBack() {
        insert("before");

        server.stop();
        assertThatThrownBy(() -> insert("during")).isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> database.inTransaction(() -> insert("during")))
                .isInstanceOf(TransactionException.class);

        server.start();
        insertWhenBack("after");
        assertThat(database.jdbc()
                        .sql("select key_id from _credential_key_checks")
                        .query(String.class)
                        .list())
                .containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void inTransactionWhenServerIsLostThenLeavesNothing() {
        assertThatThrownBy(() -> database.inTransaction(() -> {
                    insert("lost");
                    server.stop();
                    return insert("never");
                }))
                .isInstanceOfAny(DataAccessException.class, TransactionException.class);

        server.start();
        insertWhenBack("after");
        assertThat(database.jdbc()
                        .sql("select key_id from _credential_key_checks")
                        .query(String.class)
                        .list())
                .containsExactly("after");
    }

    /** The pool learns of one broken connection at a time. */
    private void insertWhenBack(String keyId) {
        Patience.until(() -> {
            try {
                return insert(keyId) == 1;
            } catch (DataAccessException e) {
                assertThat(e).hasRootCauseInstanceOf(SQLException.class);
                return false;
            }
        });
    }

    private int insert(String keyId) {
        return database.jdbc()
                .sql("insert into _credential_key_checks (key_id, check_value) values (:keyId, 'x')")
                .param("keyId", keyId)
                .update();
    }
}
