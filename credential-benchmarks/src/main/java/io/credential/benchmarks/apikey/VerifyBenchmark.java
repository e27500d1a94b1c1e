package io.credential.benchmarks.apikey;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Spread;
import io.credential.benchmarks.Turns;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.cache.CacheSettings;
import io.credential.seal.Keyring;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;

/**
 * Verify throughput beside a bare {@code SELECT} of the same row through the same pool, on PostgreSQL and SQLite, in
 * turns of one run, after as many rounds that are not counted: many short ones, since machines change their speed from
 * second to second. Then how long a cached key, an unknown key id and a wrong secret take. Arguments, all optional: keys (100,000), threads (1,8,64), rounds (31), seconds a turn (1).
 */
public final class VerifyBenchmark {

    private static final int ISSUED_PER_TRANSACTION = 1000;

    /** How many of the keys are in use: each has its last use written every ten seconds. */
    private static final int KEYS_IN_USE = 2000;

    private static final double GOAL = 0.85;

    private static final double CACHED_GOAL_MICROS = 10;

    private static final int CALLS_PER_ROUND = 2000;

    private static final String BARE = "bare select";
    private static final String VERIFY = "verify";
    private static final String CACHED = "cached";
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
                Integer.parseInt(argument(arguments, 2, "31")),
                Duration.ofSeconds(Integer.parseInt(argument(arguments, 3, "1"))));
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
        Keyring keyring = Keyring.generate(random);
        try (JdbcApiKeyRegistries registries = registries(database, keyring).build();
                JdbcApiKeyRegistries caching = registries(database, keyring)
                        .cache(new CacheSettings(keys, Duration.ofMinutes(5)))
                        .build()) {
            registries.start();
            caching.start();
            ApiKeyRegistry registry = registries.get("live");
            List<String> tokens = issue(database, registry);
            throughput(benchmarked, registry, tokens, Collections.max(threads)); // compiles what is measured
            for (int count : threads) {
                reportThroughput(name, count, throughput(benchmarked, registry, tokens, count));
            }
            reportCached(name, cached(caching.get("live"), tokens));
            reportRejections(name, rejections(registry, tokens));
        }
    }

    private static JdbcApiKeyRegistries.Builder registries(CredentialDatabase database, Keyring keyring) {
        return JdbcApiKeyRegistries.builder(database, keyring).registry(ApiKeyRegistryOptions.forNamespace("live"));
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

    /** Takes the median of each round in microseconds. The first round, which is not counted, fills the cache. */
    private Turns cached(ApiKeyRegistry registry, List<String> tokens) throws Exception {
        return Turns.take(rounds, turns -> {
            List<Double> micros = new ArrayList<>();
            for (int i = 0; i < 10 * CALLS_PER_ROUND; i++) {
                micros.add(micros(registry, pick(tokens), true));
            }
            turns.add(CACHED, Spread.of(micros).median());
        });
    }

    /** Takes the median of each round in microseconds, of calls that alternate. */
    private Turns rejections(ApiKeyRegistry registry, List<String> tokens) throws Exception {
        return Turns.take(rounds, turns -> {
            List<Double> unknown = new ArrayList<>();
            List<Double> wrong = new ArrayList<>();
            for (int i = 0; i < CALLS_PER_ROUND; i++) {
                String token = pick(tokens);
                String secret = token.substring(token.lastIndexOf('_') + 1);
                String otherSecret = "00".repeat(secret.length() / 2);
                unknown.add(micros(registry, token.replace(idOf(token), "%016x".formatted(i)), false));
                wrong.add(micros(registry, token.replace(secret, otherSecret), false));
            }
            turns.add(UNKNOWN, Spread.of(unknown).median());
            turns.add(WRONG, Spread.of(wrong).median());
        });
    }

    private static double micros(ApiKeyRegistry registry, String token, boolean valid) {
        long start = System.nanoTime();
        if (registry.verify(token).isPresent() != valid) {
            throw new IllegalStateException("A key was decided wrongly");
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

    private static void reportCached(String database, Turns turns) {
        Spread micros = turns.spread(CACHED);
        System.out.printf(
                "%-10s  cached: median %.1f us (%.1f to %.1f), goal %.0f us %s%n",
                database,
                micros.median(),
                micros.lowest(),
                micros.highest(),
                CACHED_GOAL_MICROS,
                micros.median() <= CACHED_GOAL_MICROS ? "held" : "MISSED");
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
