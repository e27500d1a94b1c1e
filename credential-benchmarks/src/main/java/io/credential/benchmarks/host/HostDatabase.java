package io.credential.benchmarks.host;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjIntConsumer;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.keyring.KeyringFile;
import io.credential.seal.Keyring;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.http.DestinationPolicy;

/** A PostgreSQL server for host applications, and the keyring that they share. */
record HostDatabase(BenchmarkDatabase benchmarked, Path directory) implements AutoCloseable {

    static HostDatabase create() throws IOException {
        return new HostDatabase(
                BenchmarkDatabase.postgres(), Files.createTempDirectory("credential-benchmark-keyring"));
    }

    String url() {
        return benchmarked.pool().getJdbcUrl();
    }

    /** The first application with the starter creates it. */
    Path keyringFile() {
        return directory.resolve("keyring.json");
    }

    private Keyring keyring() {
        return new KeyringFile(keyringFile(), false).load();
    }

    String issueKey(String scope) {
        try (JdbcApiKeyRegistries registries = JdbcApiKeyRegistries.builder(benchmarked.open(), keyring())
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .build()) {
            registries.start();
            return registries
                    .get("live")
                    .issue(IssueRequest.forOwner("benchmark").scopes(scope))
                    .key();
        }
    }

    /** Leaves this many orders in the table, which the first application creates. */
    void fillOrders(int orders) {
        JdbcClient client = JdbcClient.create(benchmarked.control());
        client.sql("delete from orders").update();
        client.sql("""
                        insert into orders (id, item, created_at)
                        select cast(gen_random_uuid() as text), 'kettle', 1000 * number
                        from generate_series(1, :orders) as number""").param("orders", orders).update();
    }

    /** Registers endpoints whose ids end with their number in the list. */
    void registerEndpoints(String prefix, List<URI> urls) {
        forEach(
                urls.size(),
                (dispatcher, i) -> dispatcher.registerEndpoint(EndpointRegistration.of(
                        prefix + i, urls.get(i).toString(), "a secret of the benchmark", "order.created")));
    }

    void pauseEndpoints(String prefix, int count) {
        forEach(count, (dispatcher, i) -> dispatcher.pauseEndpoint(prefix + i));
    }

    void resumeEndpoints(String prefix, int count) {
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
