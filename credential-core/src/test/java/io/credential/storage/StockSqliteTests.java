package io.credential.storage;

import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.DuplicateKeyException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.testing.InParallel;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An application's own SQLite DataSource, whose connections are the driver's. */
class StockSqliteTests {

    private static final int BUSY_TIMEOUT_MILLIS = Math.toIntExact(Patience.LIMIT.toMillis());

    @TempDir
    private Path directory;

    private final SQLiteConfig config = new SQLiteConfig();

    @BeforeEach
    void configure() {
        config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
        config.setJournalMode(JournalMode.WAL);
    }

    @ParameterizedTest
    @EnumSource(
            value = TransactionMode.class,
            names = {"IMMEDIATE", "EXCLUSIVE"})
    void ofWhenTransactionModeLosesTransactionsThenRefused(TransactionMode mode) {
        config.setTransactionMode(mode);
        try (HikariDataSource dataSource = pool()) {
            assertThatThrownBy(() -> CredentialDatabase.of(dataSource))
                    .isInstanceOf(UnsupportedDatabaseException.class)
                    .hasMessageContaining("transaction_mode=" + mode)
                    .hasMessageContaining("remove transaction_mode");
        }
    }

    @Test
    void inTransactionWhenItReadsFirstThenNoUpdateIsLost() {
        try (HikariDataSource dataSource = pool()) {
            CredentialDatabase database = migrated(dataSource);
            database.jdbc()
                    .sql(
                            "insert into _credential_leases (name, holder, epoch, expires_at) values ('counter', '', 0, 0)")
                    .update();

            int increments = InParallel.countSuccesses(4, 50, round -> {
                database.inTransaction(() -> {
                    int value = counter(database);
                    return database.jdbc()
                            .sql("update _credential_leases set epoch = :value where name = 'counter'")
                            .param("value", value + 1)
                            .update();
                });
                return true;
            });

            assertThat(increments).isPositive();
            assertThat(counter(database)).isEqualTo(increments);
        }
    }

    @Test
    void insertWhenKeyIsThereThenDuplicateKeyException() {
        try (HikariDataSource dataSource = pool()) {
            CredentialDatabase database = migrated(dataSource);
            String insert = "insert into _credential_key_checks (key_id, check_value) values ('k', 'x')";
            database.jdbc().sql(insert).update();

            assertThatThrownBy(() -> database.jdbc().sql(insert).update()).isInstanceOf(DuplicateKeyException.class);
        }
    }

    private HikariDataSource pool() {
        SQLiteDataSource stock = new SQLiteDataSource(config);
        stock.setUrl("jdbc:sqlite:" + directory.resolve("stock.db"));
        HikariConfig pool = new HikariConfig();
        pool.setDataSource(stock);
        return new HikariDataSource(pool);
    }

    private static CredentialDatabase migrated(HikariDataSource dataSource) {
        CredentialDatabase database = CredentialDatabase.of(dataSource);
        new SchemaMigrator(database, SchemaScripts.CORE).run(SchemaMode.MIGRATE);
        return database;
    }

    private static int counter(CredentialDatabase database) {
        return database.jdbc()
                .sql("select epoch from _credential_leases where name = 'counter'")
                .query(Integer.class)
                .single();
    }
}
