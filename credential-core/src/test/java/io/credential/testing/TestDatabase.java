package io.credential.testing;

import java.nio.file.Path;
import java.util.TimeZone;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;

/**
 * A real database, fresh and empty until {@link #database()} is first called, which migrates it. Closing
 * removes it.
 */
public abstract sealed class TestDatabase implements AutoCloseable permits PostgresTestDatabase, SqliteTestDatabase {

    private static final int POOL_SIZE = 16;

    private final DatabaseKind kind;
    private final String jdbcUrl;
    private final HikariDataSource dataSource;
    private CredentialDatabase database;

    TestDatabase(DatabaseKind kind, String jdbcUrl, HikariDataSource dataSource) {
        this.kind = kind;
        this.jdbcUrl = jdbcUrl;
        this.dataSource = dataSource;
    }

    public static TestDatabase create(DatabaseKind kind) {
        return switch (kind) {
            case POSTGRESQL -> PostgresTestDatabase.create(PoolKind.ofThisRun());
            case SQLITE -> SqliteTestDatabase.create();
        };
    }

    /**
     * A SQLite database that something else has opened.
     *
     * @param remove deletes it
     */
    public static TestDatabase ofSqlite(Path file, HikariDataSource dataSource, Runnable remove) {
        return new SqliteTestDatabase(file, dataSource, remove);
    }

    /** A PostgreSQL database with such a pool. */
    public static TestDatabase create(PoolKind pool) {
        return PostgresTestDatabase.create(pool);
    }

    /** A pool over PostgreSQL whose sessions are in another time zone than this process. */
    static HikariDataSource pool(String jdbcUrl, PoolKind kind) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(0);
        config.setConnectionInitSql("set time zone '" + foreignTimeZone() + "'");
        kind.configure(config);
        return new HikariDataSource(config);
    }

    public DatabaseKind kind() {
        return kind;
    }

    /** Complete with credentials, for a pool or an application of the test's own. */
    public String jdbcUrl() {
        return jdbcUrl;
    }

    /** For a program that takes no password in an argument. */
    public String jdbcUrlWithoutPassword() {
        return jdbcUrl.replaceAll("([?&])password=[^&]*&?", "$1");
    }

    /** The password in the URL; any other works where there is none. */
    public String password() {
        String[] parts = jdbcUrl.split("[?&]password=", 2);
        return parts.length == 1 ? "any" : parts[1].replaceAll("&.*", "");
    }

    public HikariDataSource dataSource() {
        return dataSource;
    }

    /** The migrated database. */
    public synchronized CredentialDatabase database() {
        if (database == null) {
            CredentialDatabase empty = CredentialDatabase.of(dataSource);
            new SchemaMigrator(empty).run(SchemaMode.MIGRATE);
            database = empty;
        }
        return database;
    }

    @Override
    public void close() {
        dataSource.close();
        remove();
    }

    abstract void remove();

    @Override
    public String toString() {
        return kind.name();
    }

    private static String foreignTimeZone() {
        return TimeZone.getDefault().getID().equals("Pacific/Chatham") ? "America/St_Johns" : "Pacific/Chatham";
    }
}
