package io.credential.benchmarks.scale;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.Load;
import io.credential.seal.internal.Keyring;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.WebhookResponse;

/**
 * A database with many rows, and what works on it. Requests of the dispatcher are answered in this process, so that the
 * database is most of what is measured.
 */
final class GrownDatabase implements AutoCloseable {

    private static final String NAMESPACE = "live";

    /** How many of the keys are used; they are spread over the table. */
    private static final int KEYS_IN_USE = 2000;

    private static final int PARTS = 20;
    private static final int STORED_PER_TRANSACTION = 100;
    private static final int VERIFIERS = 4;
    private static final double MICROS_PER_MILLI = 1000;

    private final BenchmarkDatabase benchmarked;
    private final CredentialDatabase database;
    private final JdbcApiKeyRegistries registries;
    private final PolledDispatcher dispatcher;
    private final List<String> tokens = new ArrayList<>();

    private GrownDatabase(BenchmarkDatabase benchmarked) {
        this.benchmarked = benchmarked;
        this.database = benchmarked.open();
        SecureRandom random = new SecureRandom();
        Keyring keyring = Keyring.generate(random);
        new SchemaMigrator(database, SchemaScripts.CORE.and(JdbcApiKeyRegistries.SCHEMA)).run(SchemaMode.MIGRATE);
        this.registries = JdbcApiKeyRegistries.builder(database, keyring)
                .registry(ApiKeyRegistryOptions.forNamespace(NAMESPACE))
                .build();
        WebhookResponse accepted = new WebhookResponse(200, "accepted", null);
        this.dispatcher = new PolledDispatcher(Hosts.known(JdbcWebhookDispatcher.builder(database, keyring))
                .random(random)
                .transport(request -> CompletableFuture.completedFuture(accepted))
                .build());
        dispatcher.dispatcher().declareSchema();
    }

    /** Fills the tables with this many keys and deliveries. */
    static GrownDatabase fill(BenchmarkDatabase benchmarked, StoredRows stored, int rows) {
        GrownDatabase grown = new GrownDatabase(benchmarked);
        grown.registries.start();
        for (int i = 0; i < StoredRows.ENDPOINTS; i++) {
            grown.dispatcher
                    .dispatcher()
                    .registerEndpoint(EndpointRegistration.of(
                            "endpoint-" + i, "http://127.0.0.1/", "a secret of the benchmark", "event-" + i));
        }
        int used = Math.min(KEYS_IN_USE, rows / 2);
        for (int part = 0; part < PARTS; part++) {
            grown.issue(used / PARTS);
            stored.keys(benchmarked, (rows - used) / PARTS, idOf(grown.tokens.get(0)));
        }
        stored.history(benchmarked, rows);
        stored.analyze(benchmarked);
        return grown;
    }

    private void issue(int keys) {
        ApiKeyRegistry registry = registries.get(NAMESPACE);
        database.inTransaction(() -> {
            for (int i = 0; i < keys; i++) {
                tokens.add(registry.issue(IssueRequest.forOwner("owner-" + i).scopes("orders:read", "orders:write"))
                        .key());
            }
            return keys;
        });
    }

    /** Dispatches events to one endpoint each, in transactions, and returns the microseconds per event. */
    double dispatchMicros(int events) {
        byte[] payload = new byte[StoredRows.PAYLOAD_BYTES];
        long start = System.nanoTime();
        for (int first = 0; first < events; first += STORED_PER_TRANSACTION) {
            int from = first;
            database.inTransaction(() -> {
                for (int i = from; i < Math.min(from + STORED_PER_TRANSACTION, events); i++) {
                    dispatcher.dispatcher().dispatch("event-" + i % StoredRows.ENDPOINTS, payload);
                }
                return events;
            });
        }
        return (System.nanoTime() - start) / 1e3 / events;
    }

    /** Claims, attempts and settles the deliveries that were dispatched, and returns the microseconds per delivery. */
    double claimMicros(int deliveries) throws InterruptedException {
        long start = System.nanoTime();
        dispatcher.start();
        benchmarked.awaitSettled();
        double micros = (System.nanoTime() - start) / 1e3 / deliveries;
        dispatcher.stop();
        return micros;
    }

    /** Verifies keys, and returns the microseconds per call. */
    double verifyMicros(int calls) throws Exception {
        ApiKeyRegistry registry = registries.get(NAMESPACE);
        Load load = new Load(VERIFIERS, calls, number -> {
            if (registry.verify(tokens.get(ThreadLocalRandom.current().nextInt(tokens.size())))
                    .isEmpty()) {
                throw new IllegalStateException("A valid key was rejected");
            }
        });
        return MICROS_PER_MILLI * load.run().millisPerCall();
    }

    private static String idOf(String token) {
        int end = token.lastIndexOf('_');
        return token.substring(token.lastIndexOf('_', end - 1) + 1, end);
    }

    @Override
    public void close() {
        dispatcher.close();
        registries.close();
        benchmarked.close();
    }
}
