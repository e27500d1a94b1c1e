package io.credential.copy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.util.ClassUtils;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.internal.StoredApiKeys;
import io.credential.keyring.KeyringException;
import io.credential.keyring.internal.KeyringGuard;
import io.credential.seal.internal.Keyring;
import io.credential.storage.SchemaException;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.SqlDialect;
import io.credential.storage.internal.sqlite.SqliteDriver;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.endpoint.EndpointSecrets;
import io.credential.webhook.delivery.internal.endpoint.SecretResealer;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;

/** The SQLite file. Nobody else can use it until it is closed. */
final class SourceFile implements AutoCloseable {

    private static final String DRIVER = "org.sqlite.JDBC";

    /** The histories of dispatchers; that of an application may have the same ending, but not this script. */
    private static final String HISTORIES = """
            SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'script'
            WHERE m.type = 'table' AND m.name LIKE '%schema_history'""";

    private static final String IS_OF_A_DISPATCHER =
            "SELECT count(*) FROM \"{history}\" WHERE script = 'V1__dispatcher.sql'";

    private final String name;
    private final SingleConnectionDataSource connection;
    private final CredentialDatabase database;

    private SourceFile(String name, SingleConnectionDataSource connection) {
        this.name = name;
        this.connection = connection;
        this.database = CredentialDatabase.of(connection);
    }

    /**
     * @throws CopyException if the file is missing, in use, or not a database
     */
    static SourceFile open(String name) {
        if (!ClassUtils.isPresent(DRIVER, SourceFile.class.getClassLoader())) {
            throw new CopyException("The SQLite driver is missing: add org.xerial:sqlite-jdbc to the class path.");
        }
        Path path = Path.of(name);
        if (!Files.isRegularFile(path)) {
            throw new CopyException("There is no SQLite file at " + path.toAbsolutePath() + ". Check --from.");
        }
        try {
            return new SourceFile(name, new SingleConnectionDataSource(SqliteDriver.openExclusively(path), true));
        } catch (CannotAcquireLockException e) {
            throw new CopyException(
                    "The SQLite file " + name + " is in use. Stop the application and close other programs that have"
                            + " opened the file.",
                    e);
        } catch (DataAccessException | IllegalArgumentException e) {
            throw new CopyException(
                    "The SQLite file " + name + " cannot be opened: " + CopyException.reason(e)
                            + ". Check --from, and that you may read and write the file.",
                    e);
        }
    }

    CredentialDatabase database() {
        return database;
    }

    /**
     * Returns the tables of the products and dispatchers that the file has.
     *
     * @param mustExist whether all must have some
     * @throws CopyException if the schema is not that of this version, or a dispatcher has tables that are not named
     */
    CopiedTables currentTables(List<DispatcherTables> dispatchers, boolean mustExist) {
        if (!database.hasTable(CopiedTables.KEY_CHECKS)) {
            throw new CopyException("The SQLite file " + name + " has no table " + CopiedTables.KEY_CHECKS
                    + ": the starter has not used it. Check --from.");
        }
        List<DispatcherTables> present = dispatchers.stream()
                .filter(tables -> requirePresent(tables, mustExist))
                .toList();
        CopiedTables tables = CopiedTables.in(database, present);
        requireNoneNewer(CopiedTables.ALL_SCRIPTS);
        requireCurrent(tables.scripts());
        present.forEach(dispatcher -> {
            SchemaScripts scripts = dispatcher.scripts(SqlDialect.SQLITE);
            requireNoneNewer(scripts);
            requireCurrent(scripts);
        });
        requireNoOther(present);
        return tables;
    }

    /**
     * Checks the keyring, the MAC and the cells of every API key, and the secret of every endpoint.
     *
     * @return what was checked, for the operator
     * @throws CopyException if a row is not authentic or does not open
     * @throws KeyringException if the keyring is not that of the file
     */
    String requireAuthentic(Keyring keyring, String keyringName, CopiedTables tables, SecureRandom random) {
        Set<String> endpoints =
                tables.dispatchers().stream().map(DispatcherTables::endpoints).collect(Collectors.toSet());
        new KeyringGuard(database, random, endpoints, () -> false, own -> {}).requireMatching(keyring, keyringName);
        try {
            int keys = tables.hasApiKeys() ? StoredApiKeys.requireAllReadable(database, keyring, random) : 0;
            EndpointSecrets secrets = new EndpointSecrets(keyring, random, false);
            int sealed = tables.dispatchers().stream()
                    .mapToInt(dispatcher -> new SecretResealer(database, dispatcher, secrets).requireAllReadable())
                    .sum();
            return keys + " API keys and " + sealed + " webhook endpoints";
        } catch (ApiKeyException | WebhookDispatcherException e) {
            throw new CopyException(e.getMessage() + ".", e);
        }
    }

    @Override
    public void close() {
        connection.destroy();
    }

    private boolean requirePresent(DispatcherTables tables, boolean mustExist) {
        boolean present = database.hasTable(tables.history());
        if (mustExist && !present) {
            throw new CopyException("The SQLite file " + name + " has no dispatcher with the tables "
                    + tables.endpoints() + " and " + tables.deliveries() + ". Check --endpoints-table and"
                    + " --deliveries-table.");
        }
        return present;
    }

    private void requireNoneNewer(SchemaScripts scripts) {
        try {
            List<String> unknown = new SchemaMigrator(database, scripts).unknownScripts();
            if (!unknown.isEmpty()) {
                throw new CopyException("The SQLite file " + name + " was used with a newer version, whose scripts "
                        + String.join(", ", unknown) + " this one lacks. Run the command of that version.");
            }
        } catch (SchemaException e) {
            throw new CopyException("The SQLite file " + name + ": " + CopyException.reason(e) + ".", e);
        }
    }

    private void requireCurrent(SchemaScripts scripts) {
        try {
            new SchemaMigrator(database, scripts).run(SchemaMode.VALIDATE);
        } catch (SchemaException e) {
            throw new CopyException(
                    e.missingScripts().isEmpty()
                            ? "The SQLite file " + name + ": " + CopyException.reason(e) + "."
                            : "The SQLite file " + name + " was used with an older version; these scripts have not"
                                    + " run: " + String.join(", ", e.missingScripts())
                                    + ". Start and stop the application with this version once.",
                    e);
        }
    }

    private void requireNoOther(List<DispatcherTables> dispatchers) {
        List<String> known = dispatchers.stream().map(DispatcherTables::history).toList();
        database.jdbc().sql(HISTORIES).query((row, index) -> row.getString(1)).list().stream()
                .filter(history -> known.stream().noneMatch(history::equalsIgnoreCase))
                .filter(this::isOfADispatcher)
                .findFirst()
                .ifPresent(history -> {
                    throw new CopyException("The SQLite file " + name
                            + " has the tables of another dispatcher, with the"
                            + " history " + history + ". Add an --endpoints-table and a --deliveries-table for each"
                            + " dispatcher.");
                });
    }

    private boolean isOfADispatcher(String history) {
        return database.jdbc()
                        .sql(IS_OF_A_DISPATCHER.replace("{history}", history.replace("\"", "\"\"")))
                        .query(Integer.class)
                        .single()
                > 0;
    }
}
