package io.credential.storage.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.output.ValidateResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.storage.SchemaException;
import io.credential.storage.SchemaMode;

/**
 * Migrates the tables with versioned scripts. It uses a private Flyway with its own history table: an
 * application's Flyway neither sees nor runs these scripts. Several nodes may start at once. Thread-safe.
 */
public final class SchemaMigrator {

    /** With the pauses in between, they take about a minute. */
    private static final int ATTEMPTS = 15;

    /** Newer or older than the newest known script. */
    private static final Set<MigrationState> UNKNOWN =
            Set.of(MigrationState.FUTURE_SUCCESS, MigrationState.MISSING_SUCCESS);

    private static final Logger LOG = LoggerFactory.getLogger(SchemaMigrator.class);

    private final CredentialDatabase database;
    private final SchemaScripts scripts;
    private final int attempts;
    private final int lockTimeoutMillis;

    /** Manages the tables of the scripts, and leaves those of other products alone. */
    public SchemaMigrator(CredentialDatabase database, SchemaScripts scripts) {
        this(database, scripts, ATTEMPTS, ScriptLockTimeout.DEFAULT_MILLIS);
    }

    /**
     * @param attempts how often a script tries to lock its tables
     * @param lockTimeoutMillis how long each attempt waits, and the pause before the next
     */
    SchemaMigrator(CredentialDatabase database, SchemaScripts scripts, int attempts, int lockTimeoutMillis) {
        this.database = database;
        this.scripts = scripts;
        this.attempts = attempts;
        this.lockTimeoutMillis = lockTimeoutMillis;
    }

    /**
     * Migrates the schema to the current version, or verifies that it is current.
     *
     * @throws SchemaException if it is not current, and was not migrated; in each mode, if statements would reach
     *     tables of another schema, or there is no schema
     */
    public void run(SchemaMode mode) {
        database.schema(); // before Flyway, which would create a missing schema
        if (mode != SchemaMode.NONE && !new SchemaHistory(database, scripts).isCurrent()) {
            if (mode == SchemaMode.MIGRATE) {
                migrate();
            } else {
                validate();
            }
        }
        database.requireOwn(scripts.tables());
    }

    /**
     * Each attempt waits for another node at most 50 seconds by Flyway's defaults, on SQLite as long as for any other
     * writer. On PostgreSQL, waits for other transactions in several attempts.
     */
    private void migrate() {
        try {
            int attempt = 1;
            while (!migrated(attempt)) {
                attempt++;
            }
        } catch (FlywayException e) {
            throw ScriptLockTimeout.isCauseOf(e) ? SchemaFailures.locked(e) : SchemaFailures.failed(e);
        }
    }

    /** Returns false if another attempt can succeed. */
    private boolean migrated(int attempt) {
        try {
            // Out of order, Flyway logs a warning. Only a product that was added, or a new script, needs it.
            configuration().outOfOrder(attempt > 1).load().migrate();
            return true;
        } catch (FlywayException e) {
            boolean locked = ScriptLockTimeout.isCauseOf(e);
            if (locked && attempt < attempts && pause()) {
                LOG.warn(
                        "The schema is not migrated yet, because another transaction holds a lock on a table (attempt {} of {})",
                        attempt,
                        attempts);
                return false;
            }
            if (!locked && attempt == 1 && !SchemaFailures.isPoolExhausted(e)) {
                // Flyway creates its history outside its lock: of nodes that start at once on a new database, one may
                // meet the table that another is just creating. It is complete at the second attempt. If a script is
                // missing between those that have run, the first attempt fails and the second runs it. Repeating any
                // failure once needs no list of such cases.
                LOG.debug("First attempt to migrate failed, trying once more", e);
                return false;
            }
            throw e;
        }
    }

    /** Lets the other nodes work, because their statements wait while a script waits. */
    private boolean pause() {
        try {
            Thread.sleep(lockTimeoutMillis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Returns the scripts that have run, but are not among these: those of a newer version, or of a product whose scripts
     * are not here.
     *
     * @throws SchemaException if the history cannot be read
     */
    public List<String> unknownScripts() {
        try {
            return Arrays.stream(configuration().load().info().applied())
                    .filter(script -> UNKNOWN.contains(script.getState()))
                    .map(MigrationInfo::getScript)
                    .toList();
        } catch (FlywayException e) {
            throw SchemaFailures.unreadable(e);
        }
    }

    private void validate() {
        Flyway flyway = configuration().outOfOrder(true).load();
        try {
            List<String> missing = Arrays.stream(flyway.info().pending())
                    .map(MigrationInfo::getScript)
                    .toList();
            if (!missing.isEmpty()) {
                throw SchemaFailures.missing(missing);
            }
            ValidateResult result = flyway.validateWithResult();
            if (!result.validationSuccessful) {
                throw SchemaFailures.invalid(result.getAllErrorMessages());
            }
        } catch (FlywayException e) {
            throw SchemaFailures.unreadable(e);
        }
    }

    /** The application's schema is rarely empty, hence the baseline below every script. */
    FluentConfiguration configuration() {
        FluentConfiguration configuration = Flyway.configure(SchemaMigrator.class.getClassLoader())
                .dataSource(database.readCommittedDataSource())
                .locations(scripts.locations(database.dialect()))
                .table(scripts.historyTable())
                .placeholders(scripts.placeholders())
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .validateMigrationNaming(true)
                .ignoreMigrationPatterns("*:missing", "*:future") // of other products, and of newer versions
                .createSchemas(false)
                .cleanDisabled(true);
        database.schema().ifPresent(configuration::defaultSchema);
        return database.dialect() == SqlDialect.POSTGRESQL
                ? configuration.callbacks(new ScriptLockTimeout(lockTimeoutMillis))
                : configuration;
    }
}
