package io.credential.storage;

import java.io.IOException;
import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.testing.DatabaseKind;
import io.credential.testing.StallingProxy;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A statement of our own on PostgreSQL commits by itself, and is waited for within bounds. */
class AutoCommitTests {

    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final CredentialDatabase direct = test.database();
    private final HikariDataSource pool = new HikariDataSource();
    private StallingProxy proxy;
    private CredentialDatabase database;

    @BeforeEach
    void connect() throws IOException {
        URI url = URI.create(test.jdbcUrl().substring("jdbc:".length()));
        proxy = new StallingProxy(url.getPort());
        pool.setJdbcUrl(test.jdbcUrl().replace(":" + url.getPort() + "/", ":" + proxy.port() + "/"));
        pool.setMaximumPoolSize(1);
        pool.setAutoCommit(false);
        database = CredentialDatabase.of(pool);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        pool.close();
        test.close();
    }

    @Test
    void autoCommitWhenThePoolDoesNotThenCommittedAndTheConnectionIsAsItWas() throws Exception {
        database.autoCommit(() -> insert("own"));

        assertThat(keyIds()).containsExactly("own");
        try (var connection = pool.getConnection()) {
            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getNetworkTimeout()).isZero();
        }
    }

    @Test
    void autoCommitWhenTheCallerHasATransactionThenPartOfIt() {
        new TransactionTemplate(new JdbcTransactionManager(pool)).executeWithoutResult(status -> {
            database.autoCommit(() -> insert("callers"));
            assertThat(keyIds()).isEmpty();
            status.setRollbackOnly();
        });

        assertThat(keyIds()).isEmpty();
    }

    @Test
    void autoCommitWhenTheServerIsCutOffThenGivenUp() {
        database.autoCommit(() -> insert("before"));
        proxy.stall();

        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(() -> database.autoCommit(() -> insert("during")));

        proxy.resume();
        database.autoCommit(() -> insert("after"));
        assertThat(keyIds()).contains("before", "after");
    }

    @Test
    void autoCommitWhenAnotherHoldsTheLockThenCancelled() {
        direct.inTransaction(() -> {
            direct.jdbc().sql("LOCK TABLE _credential_key_checks").update();
            assertThatExceptionOfType(QueryTimeoutException.class)
                    .isThrownBy(() -> database.autoCommit(() -> insert("late")));
            return null;
        });

        assertThat(keyIds()).isEmpty();
    }

    private int insert(String keyId) {
        return database.jdbc()
                .sql("INSERT INTO _credential_key_checks (key_id, check_value) VALUES (:keyId, 'x')")
                .param("keyId", keyId)
                .update();
    }

    private List<String> keyIds() {
        return direct.jdbc()
                .sql("SELECT key_id FROM _credential_key_checks")
                .query(String.class)
                .list();
    }
}
