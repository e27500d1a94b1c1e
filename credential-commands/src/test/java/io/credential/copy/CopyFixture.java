package io.credential.copy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

import org.springframework.util.FileSystemUtils;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.keyring.internal.KeyringFile;
import io.credential.keyring.internal.KeyringGuard;
import io.credential.seal.internal.Keyring;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.sqlite.SqliteDataSource;
import io.credential.testing.DatabaseKind;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.HookReceiver;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.replay.internal.JdbcNonceStore;

/** An application on a SQLite file, an empty PostgreSQL database, and the command between them. */
final class CopyFixture implements AutoCloseable {

    static final String SECRET = "a secret of the endpoint";
    static final SecureRandom RANDOM = new SecureRandom();

    private static final DispatcherTables TABLES =
            DispatcherTables.named(DispatcherTables.DEFAULT_ENDPOINTS, DispatcherTables.DEFAULT_DELIVERIES);

    final MutableClock clock = MutableClock.atNewYear();
    final HookReceiver receiver = new HookReceiver();
    final TestDatabase target = TestDatabase.create(DatabaseKind.POSTGRESQL);
    final Map<String, String> environment = new HashMap<>();
    final Path directory;
    final Path file;
    final Path keyring;

    /** How long the command waits for those who write to the tables of the target. */
    Duration lockTimeout = Patience.LIMIT;

    CopyFixture() {
        try {
            directory = Files.createTempDirectory("credential-copy");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        file = directory.resolve("credential.db");
        keyring = directory.resolve("keyring.json");
    }

    /** What the command printed, and its exit code. */
    record Run(int exitCode, String out, String err) {}

    /** The parts of an application, on either database. */
    record App(
            CredentialDatabase database,
            ApiKeyRegistry registry,
            JdbcWebhookDispatcher dispatcher,
            JdbcNonceStore nonces) {

        int sql(String sql) {
            return database.jdbc().sql(sql).update();
        }
    }

    /** Runs the application on the file, and stops it. */
    <T> T onSqlite(Function<App, T> work) {
        try (HikariDataSource pool = SqliteDataSource.pooled(file)) {
            return on(pool, TABLES, work);
        }
    }

    void withSqlite(Consumer<App> work) {
        var unused = onSqlite(app -> {
            work.accept(app);
            return true;
        });
    }

    /** Runs the application on PostgreSQL, and stops it. */
    <T> T onPostgres(Function<App, T> work) {
        return on(target.dataSource(), TABLES, work);
    }

    <T> T on(DataSource dataSource, DispatcherTables tables, Function<App, T> work) {
        CredentialDatabase database = CredentialDatabase.of(dataSource);
        new SchemaMigrator(database, CopiedTables.ALL_SCRIPTS).run(SchemaMode.MIGRATE);
        Keyring opened = new KeyringGuard(database, RANDOM, Set.of(), () -> false, ring -> {})
                .open(new KeyringFile(keyring, false), true);
        JdbcApiKeyRegistries registries = JdbcApiKeyRegistries.builder(database, opened)
                .clock(clock)
                .registry(ApiKeyRegistryOptions.forNamespace("live").withTrackLastUsed(false))
                .build();
        JdbcWebhookDispatcher dispatcher = JdbcWebhookDispatcher.builder(database, opened)
                .clock(clock)
                .endpointsTable(tables.endpoints())
                .deliveriesTable(tables.deliveries())
                .dispatchWait(Duration.ofMinutes(1))
                .destinationPolicy(DestinationPolicy.builder()
                        .allowInternalDestinations(true)
                        .build())
                .build();
        try {
            dispatcher.schema(SchemaMode.MIGRATE);
            return work.apply(
                    new App(database, registries.get("live"), dispatcher, new JdbcNonceStore(database, clock)));
        } finally {
            dispatcher.close(Duration.ofSeconds(2));
            registries.close();
        }
    }

    /** Registers an endpoint for every event at a path of the receiver. */
    void endpoint(App app, String id) {
        var unused =
                app.dispatcher().registerEndpoint(EndpointRegistration.of(id, receiver.url("/" + id), SECRET, "*"));
    }

    /** Runs the command with further options. */
    Run copy(String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "--from", file.toString(), "--to", target.jdbcUrlWithoutPassword(), "--keyring", "file:" + keyring));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    Run run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Map<String, String> variables = new HashMap<>(Map.of(CopyOptions.PASSWORD, target.password()));
        variables.putAll(environment);
        int exitCode = new CopyToPostgres(printer(out), printer(err), variables, RANDOM, System::nanoTime, lockTimeout)
                .run(List.of(arguments));
        return new Run(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** The tables of ours in a database, in alphabetical order. */
    static Set<String> tables(CredentialDatabase database) {
        String sql = switch (database.dialect()) {
            case POSTGRESQL -> "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()";
            case SQLITE -> "SELECT name FROM sqlite_master WHERE type = 'table'";
        };
        return database.jdbc().sql(sql).query((row, index) -> row.getString(1)).list().stream()
                .filter(name -> !name.startsWith("sqlite_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The rows of a table as text, in any order. */
    static List<String> rows(CredentialDatabase database, String table) {
        List<String> columns = database.jdbc()
                .sql("SELECT * FROM " + table + " WHERE 1 = 0")
                .query(rows -> {
                    List<String> names = new ArrayList<>();
                    for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                        names.add(rows.getMetaData().getColumnName(column));
                    }
                    return names.stream().sorted().toList();
                });
        return database
                .jdbc()
                .sql("SELECT " + String.join(", ", columns) + " FROM " + table)
                .query((row, index) -> {
                    List<String> values = new ArrayList<>();
                    for (int column = 1; column <= columns.size(); column++) {
                        Object value = row.getObject(column);
                        values.add(
                                value instanceof byte[] bytes
                                        ? new String(bytes, StandardCharsets.UTF_8)
                                        : String.valueOf(value));
                    }
                    return values.toString();
                })
                .list()
                .stream()
                .sorted()
                .toList();
    }

    /** Whether anything was copied. */
    boolean isTargetEmpty() {
        CredentialDatabase database = CredentialDatabase.of(target.dataSource());
        return tables(database).stream()
                .filter(table -> !table.endsWith("schema_history"))
                .allMatch(table -> rows(database, table).isEmpty());
    }

    @Override
    public void close() {
        receiver.close();
        target.close();
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PrintStream printer(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }
}
