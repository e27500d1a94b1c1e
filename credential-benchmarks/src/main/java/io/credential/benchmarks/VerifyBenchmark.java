package io.credential.benchmarks;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

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
 * turns of one run; then how long an unknown key id and a wrong secret take. Arguments, all optional: keys (100,000),
 * threads (1,8,64), rounds (7), seconds a turn (3).
 */
public final class VerifyBenchmark {

    private static final int ISSUED_PER_TRANSACTION = 1000;

    /** How many of the keys are in use: each has its last use written every ten seconds. */
    private static final int KEYS_IN_USE = 2000;

    private static final double GOAL = 0.85;

    private static final int REJECTIONS_PER_ROUND = 2000;

    private static final String BARE = "bare select";
    private static final String VERIFY = "verify";
    private static final String UNKNOWN = "unknown id";
    private static final String WRONG = "wrong secret";

    private final int keys;
    private final List<Integer> threads;
    private final int rounds;
    private final Duration turn;

    private VerifyBenchmark(int keys, List<Integer> threads, int rounds, Duration turn) {
        this.keys = keys;
        this.threads = threads;
        this.rounds = rounds;
        this.turn = turn;
    }

    public static void main(String[] arguments) throws Exception {
        VerifyBenchmark benchmark = new VerifyBenchmark(
                Integer.parseInt(argument(arguments, 0, "100000")),
                Stream.of(argument(arguments, 1, "1,8,64").split(","))
                        .map(Integer::valueOf)
                        .toList(),
                Integer.parseInt(argument(arguments, 2, "7")),
                Duration.ofSeconds(Integer.parseInt(argument(arguments, 3, "3"))));
        benchmark.run();
    }

    private static String argument(String[] arguments, int index, String defaultValue) {
        return index < arguments.length ? arguments[index] : defaultValue;
    }

    private void run() throws Exception {
        try (BenchmarkDatabase postgres = BenchmarkDatabase.postgres();
                BenchmarkDatabase sqlite = BenchmarkDatabase.sqlite()) {
            measure("PostgreSQL", postgres);
            measure("SQLite", sqlite);
        }
    }

    private void measure(String name, BenchmarkDatabase benchmarked) throws Exception {
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
            for (int count : threads) {
                reportThroughput(name, count, throughput(benchmarked, registry, tokens, count));
            }
            reportRejections(name, rejections(registry, tokens));
        }
    }

    private Turns throughput(BenchmarkDatabase benchmarked, ApiKeyRegistry registry, List<String> tokens, int count)
            throws Exception {
        BareSelect select = new BareSelect(benchmarked.pool());
        Load bare = new Load(count, Integer.MAX_VALUE, turn, number -> select.run("live", idOf(pick(tokens))));
        Load verify = new Load(count, Integer.MAX_VALUE, turn, number -> {
            if (registry.verify(pick(tokens)).isEmpty()) {
                throw new IllegalStateException("A valid key was rejected");
            }
        });
        return Turns.take(rounds, turns -> {
            turns.add(BARE, bare.run().perSecond());
            turns.add(VERIFY, verify.run().perSecond());
        });
    }

    /** Takes the median of each round in microseconds, of calls that alternate. */
    private Turns rejections(ApiKeyRegistry registry, List<String> tokens) throws Exception {
        return Turns.take(rounds, turns -> {
            List<Double> unknown = new ArrayList<>();
            List<Double> wrong = new ArrayList<>();
            for (int i = 0; i < REJECTIONS_PER_ROUND; i++) {
                String token = pick(tokens);
                String secret = token.substring(token.lastIndexOf('_') + 1);
                String otherSecret = "00".repeat(secret.length() / 2);
                unknown.add(micros(registry, token.replace(idOf(token), "%016x".formatted(i))));
                wrong.add(micros(registry, token.replace(secret, otherSecret)));
            }
            turns.add(UNKNOWN, Spread.of(unknown).median());
            turns.add(WRONG, Spread.of(wrong).median());
        });
    }

    private static double micros(ApiKeyRegistry registry, String token) {
        long start = System.nanoTime();
        if (registry.verify(token).isPresent()) {
            throw new IllegalStateException("An invalid key was accepted");
        }
        return (System.nanoTime() - start) / 1000.0;
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

    private void reportThroughput(String database, int count, Turns turns) {
        Spread ratio = turns.ratio(VERIFY, BARE);
        System.out.printf(
                "%-10s  %,d keys, %2d threads, %d rounds: bare select %,9.0f/s, verify %,9.0f/s, ratio %.2f (%.2f to %.2f),"
                        + " goal %.2f %s%n",
                database,
                keys,
                count,
                rounds,
                turns.spread(BARE).median(),
                turns.spread(VERIFY).median(),
                ratio.median(),
                ratio.lowest(),
                ratio.highest(),
                GOAL,
                ratio.median() >= GOAL ? "held" : "MISSED");
    }

    private static void reportRejections(String database, Turns turns) {
        Spread ratio = turns.ratio(WRONG, UNKNOWN);
        System.out.printf(
                "%-10s  rejected: unknown id %.1f us, wrong secret %.1f us, ratio %.2f (%.2f to %.2f)%n",
                database,
                turns.spread(UNKNOWN).median(),
                turns.spread(WRONG).median(),
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
