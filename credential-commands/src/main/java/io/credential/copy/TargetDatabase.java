package io.credential.copy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.LongSupplier;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.storage.SchemaException;
import io.credential.storage.SchemaMode;
import io.credential.storage.UnsupportedDatabaseException;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.SqlDialect;

/** The PostgreSQL database. */
final class TargetDatabase {

    /** Parameters of the URL take precedence. Details of an error quote the row. */
    private static final Properties SETTINGS = properties(
            "ApplicationName", "credential-copy",
            "connectTimeout", "10",
            "socketTimeout", "600",
            "tcpKeepAlive", "true",
            "logServerErrorDetail", "false",
            "reWriteBatchedInserts", "true");

    private static final Duration LONGEST_COPY = Duration.ofDays(1);

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** Others may read, but not write. */
    private static final String LOCK = "LOCK TABLE {tables} IN EXCLUSIVE MODE";

    private static final String HAS_ROWS = "SELECT CASE WHEN EXISTS (SELECT 1 FROM {table}) THEN 1 ELSE 0 END";

    private static final String HAS_LIVE_NODES = "SELECT EXISTS (SELECT 1 FROM " + CopiedTables.CLUSTER_KEYS
            + " WHERE expires_at > " + SqlDialect.POSTGRESQL.now() + ")";

    private final String name;
    private final CredentialDatabase database;
    private final Duration lockTimeout;

    private TargetDatabase(String name, CredentialDatabase database, Duration lockTimeout) {
        this.name = name;
        this.database = database;
        this.lockTimeout = lockTimeout;
    }

    /**
     * @param lockTimeout how long to wait for those who write to the tables
     * @throws CopyException if the database cannot be reached, rejects the user, or is too old
     */
    static TargetDatabase connect(CopyOptions options, Duration lockTimeout) {
        DriverManagerDataSource connections = new DriverManagerDataSource(options.to());
        Properties settings = new Properties();
        settings.putAll(SETTINGS);
        connections.setConnectionProperties(settings);
        if (options.user() != null) {
            connections.setUsername(options.user());
        }
        if (options.password() != null) {
            connections.setPassword(options.password());
        }
        try {
            return new TargetDatabase(options.target(), CredentialDatabase.of(connections), lockTimeout);
        } catch (DataAccessException e) {
            throw new CopyException(
                    "Cannot connect to " + options.target() + ": " + CopyException.reason(e)
                            + ". Check --to, --user and the environment variable " + CopyOptions.PASSWORD + ".",
                    e);
        } catch (UnsupportedDatabaseException e) {
            throw new CopyException(options.target() + ": " + e.getMessage() + ".", e);
        }
    }

    CredentialDatabase database() {
        return database;
    }

    /**
     * Creates the tables, or brings empty ones up to date.
     *
     * @throws CopyException if they contain rows, cannot be created, or are those of a newer version
     */
    void migrate(CopiedTables tables) {
        new CopiedTables(CopiedTables.ALL_SCRIPTS, tables.dispatchers())
                .names().stream().filter(database::hasTable).forEach(this::requireEmpty);
        migrate(CopiedTables.ALL_SCRIPTS, tables.scripts());
        tables.dispatchers().forEach(dispatcher -> {
            SchemaScripts scripts = dispatcher.scripts(SqlDialect.POSTGRESQL);
            migrate(scripts, scripts);
        });
    }

    /**
     * Runs work in one transaction. Nobody else can write to the tables until it ends.
     *
     * @throws CopyException if one contains rows, an application writes to one, or a node of a cluster runs
     */
    long fill(List<String> tables, LongSupplier work) {
        return database.inTransaction(LONGEST_COPY, () -> {
            lock(tables);
            tables.forEach(this::requireEmpty);
            requireEmpty(CopiedTables.LEASES);
            requireNoNodes();
            return work.getAsLong();
        });
    }

    private void migrate(SchemaScripts known, SchemaScripts scripts) {
        try {
            List<String> unknown = new SchemaMigrator(database, known).unknownScripts();
            if (!unknown.isEmpty()) {
                throw new CopyException("The tables of " + name + " are of a newer version, whose scripts "
                        + String.join(", ", unknown) + " this one lacks. Run the command of that version.");
            }
            new SchemaMigrator(database, scripts).run(SchemaMode.MIGRATE);
        } catch (SchemaException e) {
            throw new CopyException(
                    "The tables of " + name + " cannot be created or migrated: " + CopyException.reason(e)
                            + ". The user must be allowed to create tables.",
                    e);
        }
    }

    private void lock(List<String> tables) {
        try {
            var unused = database.jdbc()
                    .sql("SET LOCAL lock_timeout = " + lockTimeout.toMillis())
                    .update();
            unused = database.jdbc()
                    .sql(LOCK.replace("{tables}", String.join(", ", tables)))
                    .update();
        } catch (DataAccessException e) {
            if (e.getMostSpecificCause() instanceof SQLException cause
                    && LOCK_NOT_AVAILABLE.equals(cause.getSQLState())) {
                throw new CopyException(
                        "The tables of " + name + " are in use. Stop every application that uses this database.", e);
            }
            throw new CopyException(
                    "The tables of " + name + " cannot be locked: " + CopyException.reason(e)
                            + ". The user must be their owner.",
                    e);
        }
    }

    private void requireEmpty(String table) {
        int rows = database.jdbc()
                .sql(HAS_ROWS.replace("{table}", table))
                .query(Integer.class)
                .single();
        if (rows != 0) {
            throw new CopyException(
                    "The table " + table + " of " + name + " contains rows: an application has used it,"
                            + " or it was filled before. Stop every application that uses this database. Then use another"
                            + " database, or drop its tables whose names begin with _credential_ if their rows are not needed.");
        }
    }

    private void requireNoNodes() {
        if (database.jdbc().sql(HAS_LIVE_NODES).query(Boolean.class).single()) {
            throw new CopyException("A node uses " + name + ": it has announced its keys in the table "
                    + CopiedTables.CLUSTER_KEYS
                    + ". Stop every application that uses this database. If a node has crashed,"
                    + " run the command again after 45 seconds.");
        }
    }

    private static Properties properties(String... namesAndValues) {
        Properties properties = new Properties();
        for (int index = 0; index < namesAndValues.length; index += 2) {
            properties.setProperty(namesAndValues[index], namesAndValues[index + 1]);
        }
        return properties;
    }
}
