package io.credential.storage;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.sqlite.SqliteDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How the kinds of transactions that Spring offers behave on the pool that an application gets. */
class SqlitePropagationTests {

    @TempDir
    private Path directory;

    private HikariDataSource pool;
    private JdbcTemplate jdbc;
    private TransactionTemplate outer;

    @BeforeEach
    void open() {
        pool = SqliteDataSource.pooled(directory.resolve("test.db"));
        jdbc = new JdbcTemplate(pool);
        jdbc.execute("create table item (id integer primary key)");
        outer = new TransactionTemplate(new JdbcTransactionManager(pool));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void requiresNewWhenItWritesInAWriteThenOnlyItFails() {
        TransactionTemplate inner = with(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

        outer.executeWithoutResult(status -> {
            insert(1);
            assertThatThrownBy(() -> inner.executeWithoutResult(innerStatus -> insert(2)))
                    .isInstanceOf(CannotCreateTransactionException.class)
                    .rootCause()
                    .hasMessageContaining("already in a SQLite write transaction")
                    .hasMessageContaining("REQUIRES_NEW");
            insert(3);
        });

        assertThat(ids()).containsExactly(1, 3);
    }

    @Test
    void requiresNewWhenItReadsInAWriteThenSeesCommitted() {
        TransactionTemplate inner = with(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        inner.setReadOnly(true);

        outer.executeWithoutResult(status -> {
            insert(1);
            inner.executeWithoutResult(innerStatus -> assertThat(ids()).isEmpty());
        });

        assertThat(ids()).containsExactly(1);
    }

    @Test
    void nestedWhenRolledBackThenOuterIsKept() {
        TransactionTemplate nested = with(TransactionDefinition.PROPAGATION_NESTED);

        outer.executeWithoutResult(status -> {
            insert(1);
            nested.executeWithoutResult(nestedStatus -> {
                insert(2);
                nestedStatus.setRollbackOnly();
            });
        });

        assertThat(ids()).containsExactly(1);
    }

    @Test
    void readOnlyWhenItWritesThenRefusedAndNextOneMay() {
        TransactionTemplate readOnly = with(TransactionDefinition.PROPAGATION_REQUIRED);
        readOnly.setReadOnly(true);

        assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> insert(1)))
                .isInstanceOf(DataAccessException.class);
        outer.executeWithoutResult(status -> insert(2));

        assertThat(ids()).containsExactly(2);
    }

    @Test
    void isolationWhenSqliteExceedsItThenAccepted() {
        outer.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);

        outer.executeWithoutResult(status -> insert(1));

        assertThat(ids()).containsExactly(1);
    }

    private TransactionTemplate with(int propagation) {
        TransactionTemplate template = new TransactionTemplate(new JdbcTransactionManager(pool));
        template.setPropagationBehavior(propagation);
        return template;
    }

    private void insert(int id) {
        jdbc.update("insert into item (id) values (?)", id);
    }

    private List<Integer> ids() {
        return jdbc.query("select id from item order by id", (row, number) -> row.getInt(1));
    }
}
