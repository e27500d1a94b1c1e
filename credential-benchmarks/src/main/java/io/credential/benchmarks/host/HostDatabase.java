package io.credential.benchmarks.host;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;
import org.sqlite.JDBC;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.keyring.internal.KeyringFile;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.sqlite.SqliteDataSource;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.DestinationPolicy;

/**
 * A database for host applications, and the keyring that they share.
 *
 * @param file of SQLite, or null for PostgreSQL
 */
public record HostDatabase(
        BenchmarkDatabase benchmarked,
        Path directory,
        @Nullable Path file) implements AutoCloseable {

    /** For any number of applications. */
    public static HostDatabase postgres() throws IOException {
        return new HostDatabase(BenchmarkDatabase.postgres(), createDirectory(), null);
    }

    /** For one application. */
    public static HostDatabase sqlite() throws IOException {
        Path directory = createDirectory();
        Path file = directory.resolve("host.db");
        HikariDataSource pool = SqliteDataSource.pooled(file);
        return new HostDatabase(new BenchmarkDatabase(pool, pool, pool), directory, file);
    }

    private static Path createDirectory() throws IOException {
        return Files.createTempDirectory("credential-benchmark-host");
    }

    /** Returns the argument of an application that names the database. */
    String argument(boolean starter) {
        if (file == null) {
            return "--spring.datasource.url=" + benchmarked.pool().getJdbcUrl();
        }
        return starter ? "--credential.storage.path=" + file : "--spring.datasource.url=jdbc:sqlite:" + file;
    }

    /** Returns a driver that applications need in addition to their libraries. */
    Optional<Path> driver() {
        return file == null
                ? Optional.empty()
                : Optional.of(Path.of(URI.create(JDBC.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString())));
    }

    /** The first application with the starter creates it. */
    Path keyringFile() {
        return directory.resolve("keyring.json");
    }

    private Keyring keyring() {
        return new KeyringFile(keyringFile(), false).load();
    }

    String issueKey(String scope) {
        return issueKeys(1, scope).get(0);
    }

    /** Issues keys that have a scope. */
    public List<String> issueKeys(int count, String scope) {
        try (JdbcApiKeyRegistries registries = JdbcApiKeyRegistries.builder(benchmarked.open(), keyring())
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .build()) {
            registries.start();
            return Stream.generate(() -> registries
                            .get("live")
                            .issue(IssueRequest.forOwner("benchmark").scopes(scope))
                            .key())
                    .limit(count)
                    .toList();
        }
    }

    /** Leaves this many orders in the table, which the first application creates. */
    void fillOrders(int orders) {
        JdbcClient client = JdbcClient.create(benchmarked.control());
        client.sql("delete from orders").update();
        client.sql("""
                        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < :orders)
                        insert into orders (id, item, created_at)
                        select '2f1c7a52-90d4-4be1-a3f6-' || (100000000000 + n), 'kettle', 1000 * n
                        from numbers""").param("orders", orders).update();
    }

    /** Registers endpoints whose ids end with their number in the list. */
    public void registerEndpoints(String prefix, List<URI> urls) {
        forEach(
                urls.size(),
                (dispatcher, i) -> dispatcher.registerEndpoint(EndpointRegistration.of(
                        prefix + i, urls.get(i).toString(), "a secret of the benchmark", "order.created")));
    }

    public void pauseEndpoints(String prefix, int count) {
        forEach(count, (dispatcher, i) -> dispatcher.pauseEndpoint(prefix + i));
    }

    public void resumeEndpoints(String prefix, int count) {
        forEach(count, (dispatcher, i) -> dispatcher.resumeEndpoint(prefix + i));
    }

    private void forEach(int count, ObjIntConsumer<WebhookDispatcher> change) {
        try (JdbcWebhookDispatcher dispatcher = JdbcWebhookDispatcher.builder(benchmarked.open(), keyring())
                .destinationPolicy(DestinationPolicy.builder()
                        .allowInternalDestinations(true)
                        .build())
                .build()) {
            dispatcher.declareSchema();
            for (int i = 0; i < count; i++) {
                change.accept(dispatcher, i);
            }
        }
    }

    @Override
    public void close() throws IOException {
        benchmarked.close();
        FileSystemUtils.deleteRecursively(directory);
    }
}
