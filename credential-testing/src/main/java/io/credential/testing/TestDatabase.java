package io.credential.testing;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;

/**
 * A real database, fresh and empty until {@link #database()} or {@link #migrate} is first called. If that is the first
 * use, the database is created as a copy of a migrated one, because the scripts take most of the time that many tests
 * take. Closing removes it.
 */
public abstract sealed class TestDatabase implements AutoCloseable permits PostgresTestDatabase, SqliteTestDatabase {

    private static final int POOL_SIZE = 16;

    private final DatabaseKind kind;
    private final String jdbcUrl;
    private HikariDataSource dataSource; // null until the first use
    private CredentialDatabase database;
    private Map<String, SchemaScripts> migrated = Map.of(); // by history table

    TestDatabase(DatabaseKind kind, String jdbcUrl) {
        this.kind = kind;
        this.jdbcUrl = jdbcUrl;
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
        return SqliteTestDatabase.opened(file, dataSource, remove);
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
        var unused = dataSource(); // creates the database
        return jdbcUrl;
    }

    /** For a program that takes no password in an argument. */
    public String jdbcUrlWithoutPassword() {
        return jdbcUrl().replaceAll("([?&])password=[^&]*&?", "$1");
    }

    /** The password in the URL; any other works where there is none. */
    public String password() {
        String[] parts = jdbcUrl.split("[?&]password=", 2);
        return parts.length == 1 ? "any" : parts[1].replaceAll("&.*", "");
    }

    public synchronized HikariDataSource dataSource() {
        if (dataSource == null) {
            dataSource = open();
        }
        return dataSource;
    }

    /** The database with the tables that every application has. */
    public CredentialDatabase database() {
        return migrate(SchemaScripts.CORE);
    }

    /** The database with the tables of these scripts too. Runs each only once: even checking for pending scripts takes time. */
    public synchronized CredentialDatabase migrate(SchemaScripts scripts) {
        Map<String, SchemaScripts> wanted = new LinkedHashMap<>(migrated);
        wanted.putIfAbsent(SchemaScripts.CORE.historyTable(), SchemaScripts.CORE);
        wanted.merge(scripts.historyTable(), scripts, SchemaScripts::and);
        if (dataSource == null) {
            dataSource = openMigrated(List.copyOf(wanted.values()));
        } else {
            wanted.values().stream()
                    .filter(needed -> !migrated.containsValue(needed))
                    .forEach(needed -> run(needed, dataSource));
        }
        migrated = wanted;
        if (database == null) {
            database = CredentialDatabase.of(dataSource);
        }
        return database;
    }

    static void run(SchemaScripts scripts, HikariDataSource dataSource) {
        new SchemaMigrator(CredentialDatabase.of(dataSource), scripts).run(SchemaMode.MIGRATE);
    }

    @Override
    public synchronized void close() {
        if (dataSource != null) {
            dataSource.close();
        }
        remove();
    }

    /** Creates the empty database, and a pool over it. */
    abstract HikariDataSource open();

    /** Creates the database with the tables of these scripts, and a pool over it. */
    abstract HikariDataSource openMigrated(List<SchemaScripts> scripts);

    abstract void remove();

    @Override
    public String toString() {
        return kind.name();
    }

    private static String foreignTimeZone() {
        return TimeZone.getDefault().getID().equals("Pacific/Chatham") ? "America/St_Johns" : "Pacific/Chatham";
    }
}
