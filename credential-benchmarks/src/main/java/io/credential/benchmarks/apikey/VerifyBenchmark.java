package io.credential.benchmarks.apikey;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.cache.CacheSettings;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Spread;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.seal.internal.Keyring;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;

/**
 * Verify throughput beside a bare {@code SELECT} of the same row through the same pool, on PostgreSQL and SQLite, in
 * turns of one run, after as many rounds that are not counted: many short ones, since machines change their speed from
 * second to second. Then how long a cached key, an unknown key id and a wrong secret take. Goals: 0.85 of the
 * bare {@code SELECT}, 10 microseconds for a cached key, and 1.5 times an unknown key id for a wrong secret.
 */
public final class VerifyBenchmark {

    private static final int ISSUED_PER_TRANSACTION = 1000;

    /** How many of the keys are in use: each has its last use written every ten seconds. */
    private static final int KEYS_IN_USE = 2000;

    private static final double GOAL = 0.85;

    private static final double CACHED_GOAL_MICROS = 10;

    /** Both compute the same hashes, but only a known id has a row to read. */
    private static final double WRONG_GOAL = 1.5;

    private static final String BARE = "bare select/s";
    private static final String VERIFY = "verify/s";
    private static final String CACHED = "us, cached";
    private static final String UNKNOWN = "us, unknown id";
    private static final String WRONG = "us, wrong secret";

    private final int keys;
    private final List<Integer> threads;
    private final int rounds;
    private final Duration turn;
    private final int callsPerRound;

    private VerifyBenchmark(Profile profile) {
        this.keys = profile.choose(1_000, 20_000, 100_000);
        this.threads = profile.choose(List.of(2), List.of(1, 8, 64), List.of(1, 8, 64));
        this.rounds = profile.choose(1, 15, 31);
        this.turn = profile.choose(Duration.ofMillis(100), Duration.ofMillis(300), Duration.ofSeconds(1));
        this.callsPerRound = profile.choose(100, 1_000, 2_000);
    }

    public static void main(String[] arguments) {
        Harness.main("verify", arguments, VerifyBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        VerifyBenchmark benchmark = new VerifyBenchmark(profile);
        try (BenchmarkDatabase postgres = BenchmarkDatabase.postgres();
                BenchmarkDatabase sqlite = BenchmarkDatabase.sqlite()) {
            benchmark.measure("verify, PostgreSQL", postgres, table);
            benchmark.measure("verify, SQLite", sqlite, table);
        }
    }

    private void measure(String name, BenchmarkDatabase benchmarked, Table table) throws Exception {
        CredentialDatabase database = benchmarked.open();
        new SchemaMigrator(database, SchemaScripts.CORE.and(JdbcApiKeyRegistries.SCHEMA)).run(SchemaMode.MIGRATE);
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
                Turns turns = throughput(benchmarked, registry, tokens, count);
                table.ratioAtLeast(name + ", threads: " + count, turns, VERIFY, BARE, GOAL);
            }
            table.medianAtMost(name, cached(caching.get("live"), tokens), CACHED, CACHED_GOAL_MICROS);
            table.ratioAtMost(name, rejections(registry, tokens), WRONG, UNKNOWN, WRONG_GOAL);
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
            for (int i = 0; i < 10 * callsPerRound; i++) {
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
            for (int i = 0; i < callsPerRound; i++) {
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

    private static String pick(List<String> tokens) {
        return tokens.get(ThreadLocalRandom.current().nextInt(Math.min(KEYS_IN_USE, tokens.size())));
    }

    private static String idOf(String token) {
        int end = token.lastIndexOf('_');
        return token.substring(token.lastIndexOf('_', end - 1) + 1, end);
    }
}
