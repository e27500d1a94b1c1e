package io.credential.benchmarks;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.seal.Keyring;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;

/**
 * Verify throughput beside a bare {@code SELECT} of the same row through the same pool, on PostgreSQL and SQLite, in
 * turns of one run. Arguments, all optional: keys (100,000), threads (8), rounds (7), seconds a turn (3).
 */
public final class VerifyBenchmark {

    private static final int ISSUED_PER_TRANSACTION = 1000;

    /** How many of the keys are in use: each has its last use written every ten seconds. */
    private static final int KEYS_IN_USE = 2000;

    private static final String BARE = "bare select";
    private static final String VERIFY = "verify";

    private final int keys;
    private final int threads;
    private final int rounds;
    private final Duration turn;

    private VerifyBenchmark(int keys, int threads, int rounds, Duration turn) {
        this.keys = keys;
        this.threads = threads;
        this.rounds = rounds;
        this.turn = turn;
    }

    public static void main(String[] arguments) throws Exception {
        VerifyBenchmark benchmark = new VerifyBenchmark(
                argument(arguments, 0, 100_000),
                argument(arguments, 1, 8),
                argument(arguments, 2, 7),
                Duration.ofSeconds(argument(arguments, 3, 3)));
        benchmark.run();
    }

    private static int argument(String[] arguments, int index, int defaultValue) {
        return index < arguments.length ? Integer.parseInt(arguments[index]) : defaultValue;
    }

    private void run() throws Exception {
        try (BenchmarkDatabase postgres = BenchmarkDatabase.postgres();
                BenchmarkDatabase sqlite = BenchmarkDatabase.sqlite()) {
            report("PostgreSQL", measure(postgres));
            report("SQLite", measure(sqlite));
        }
    }

    private Turns measure(BenchmarkDatabase benchmarked) throws Exception {
        CredentialDatabase database = benchmarked.open();
        new SchemaMigrator(database).run(SchemaMode.MIGRATE);
        SecureRandom random = new SecureRandom();
        try (JdbcApiKeyRegistries registries = JdbcApiKeyRegistries.builder(database, Keyring.generate(random))
                .random(random)
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .build()) {
            registries.start();
            ApiKeyRegistry registry = registries.get("live");
            List<String> tokens = issue(database, registry);
            BareSelect select = new BareSelect(benchmarked.pool());
            Load bare = new Load(threads, Integer.MAX_VALUE, turn, number -> select.run("live", idOf(pick(tokens))));
            Load verify = new Load(threads, Integer.MAX_VALUE, turn, number -> {
                if (registry.verify(pick(tokens)).isEmpty()) {
                    throw new IllegalStateException("A valid key was rejected");
                }
            });
            return Turns.take(rounds, turns -> {
                turns.add(BARE, bare.run().perSecond());
                turns.add(VERIFY, verify.run().perSecond());
            });
        }
    }

    private List<String> issue(CredentialDatabase database, ApiKeyRegistry registry) {
        List<String> tokens = new ArrayList<>(keys);
        while (tokens.size() < keys) {
            database.inTransaction(() -> {
                for (int i = 0; i < ISSUED_PER_TRANSACTION && tokens.size() < keys; i++) {
                    tokens.add(registry.issue(IssueRequest.forOwner("owner-" + tokens.size() % 1000)
                                    .scopes("orders:read", "orders:write"))
                            .key());
                }
                return tokens.size();
            });
        }
        return tokens;
    }

    private void report(String database, Turns turns) {
        Spread ratio = turns.ratio(VERIFY, BARE);
        System.out.printf(
                "%-10s  %,d keys, %d threads, %d rounds: bare select %,9.0f/s, verify %,9.0f/s, ratio %.2f (%.2f to %.2f)%n",
                database,
                keys,
                threads,
                rounds,
                turns.spread(BARE).median(),
                turns.spread(VERIFY).median(),
                ratio.median(),
                ratio.lowest(),
                ratio.highest());
    }

    private static String pick(List<String> tokens) {
        return tokens.get(ThreadLocalRandom.current().nextInt(Math.min(KEYS_IN_USE, tokens.size())));
    }

    private static String idOf(String token) {
        int end = token.lastIndexOf('_');
        return token.substring(token.lastIndexOf('_', end - 1) + 1, end);
    }
}
