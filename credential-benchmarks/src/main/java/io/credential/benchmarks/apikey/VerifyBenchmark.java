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
import io.credential.apikey.internal.usage.JdbcUsageStore;
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
 * second to second. In the same way, imported keys beside issued ones, and with the usage counted beside without. Then how
 * long a cached key, an unknown key id, a wrong secret, and unknown tokens of imported forms take. Goals: 0.85 of the bare
 * {@code SELECT}, 0.8 of issued keys, 0.95 of the throughput without counts, 10 microseconds for a cached key, and 1.5
 * times an unknown key id for what else is rejected.
 */
public final class VerifyBenchmark {

    private static final int ISSUED_PER_TRANSACTION = 1000;

    /** How many of the keys are in use: each has its last use written every ten seconds. */
    private static final int KEYS_IN_USE = 2000;

    private static final double GOAL = 0.85;

    private static final double IMPORTED_GOAL = 0.8;

    private static final double COUNTED_GOAL = 0.95;

    private static final int COMPARED_THREADS = 8;

    private static final double CACHED_GOAL_MICROS = 10;

    /** Both compute the same hashes, but only a known id has a row to read. */
    private static final double WRONG_GOAL = 1.5;

    private static final String BARE = "bare select/s";
    private static final String VERIFY = "verify/s";
    private static final String IMPORTED_BY_ID = "imported by id/s";
    private static final String IMPORTED_BY_HASH = "imported by hash/s";
    private static final String COUNTED = "counted/s";
    private static final String CACHED = "us, cached";
    private static final String FOREIGN_ID = "us, unknown imported by id";
    private static final String FOREIGN_HASH = "us, unknown imported by hash";
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
        new SchemaMigrator(
                        database,
                        SchemaScripts.CORE.and(JdbcApiKeyRegistries.SCHEMA).and(JdbcUsageStore.SCHEMA))
                .run(SchemaMode.MIGRATE);
        SecureRandom random = new SecureRandom();
        Keyring keyring = Keyring.generate(random);
        try (JdbcApiKeyRegistries registries = registries(database, keyring).build();
                JdbcApiKeyRegistries counting =
                        registries(database, keyring).countUsage(true).build();
                JdbcApiKeyRegistries unstarted = registries(database, keyring).build();
                JdbcApiKeyRegistries caching = registries(database, keyring)
                        .cache(new CacheSettings(keys, Duration.ofMinutes(5)))
                        .build()) {
            registries.start();
            counting.start();
            caching.start();
            ApiKeyRegistry registry = registries.get("live");
            List<String> tokens = issue(database, registry);
            throughput(benchmarked, registry, tokens, Collections.max(threads)); // compiles what is measured
            for (int count : threads) {
                Turns turns = throughput(benchmarked, registry, tokens, count);
                table.ratioAtLeast(name + ", threads: " + count, turns, VERIFY, BARE, GOAL);
            }
            Turns counted =
                    compared(VERIFY, verifying(registry, tokens), COUNTED, verifying(counting.get("live"), tokens));
            table.ratioAtLeast(name + ", counted", counted, COUNTED, VERIFY, COUNTED_GOAL);
            imported(name, unstarted.get("live"), tokens, table);
            table.medianAtMost(name, cached(caching.get("live"), tokens), CACHED, CACHED_GOAL_MICROS);
            Turns rejections = rejections(registry, tokens);
            table.ratioAtMost(name, rejections, WRONG, UNKNOWN, WRONG_GOAL);
            table.ratioAtMost(name, rejections, FOREIGN_ID, UNKNOWN, WRONG_GOAL);
            table.ratioAtMost(name, rejections, FOREIGN_HASH, UNKNOWN, WRONG_GOAL);
        }
    }

    private static JdbcApiKeyRegistries.Builder registries(CredentialDatabase database, Keyring keyring) {
        return JdbcApiKeyRegistries.builder(database, keyring)
                .registry(ApiKeyRegistryOptions.forNamespace("live").withImportedTokens(ForeignKeys.FORMS));
    }

    /** The registry is not started, so that imported hashes stay as they are. */
    private void imported(String name, ApiKeyRegistry registry, List<String> tokens, Table table) throws Exception {
        Load issued = verifying(registry, tokens);
        Load byId = verifying(registry, ForeignKeys.importWithIds(registry, KEYS_IN_USE));
        Load byHash = verifying(registry, ForeignKeys.importByHash(registry, KEYS_IN_USE));
        table.ratioAtLeast(name, compared(VERIFY, issued, IMPORTED_BY_ID, byId), IMPORTED_BY_ID, VERIFY, IMPORTED_GOAL);
        table.ratioAtLeast(
                name, compared(VERIFY, issued, IMPORTED_BY_HASH, byHash), IMPORTED_BY_HASH, VERIFY, IMPORTED_GOAL);
    }

    private Turns compared(String one, Load first, String other, Load second) throws Exception {
        return Turns.take(rounds, turns -> {
            turns.add(one, first.run().perSecond());
            turns.add(other, second.run().perSecond());
        });
    }

    private Load verifying(ApiKeyRegistry registry, List<String> tokens) {
        return verifying(registry, tokens, COMPARED_THREADS);
    }

    private Load verifying(ApiKeyRegistry registry, List<String> tokens, int count) {
        return new Load(count, Integer.MAX_VALUE, turn, number -> {
            if (registry.verify(pick(tokens)).isEmpty()) {
                throw new IllegalStateException("A valid key was rejected");
            }
        });
    }

    private Turns throughput(BenchmarkDatabase benchmarked, ApiKeyRegistry registry, List<String> tokens, int count)
            throws Exception {
        BareSelect select = new BareSelect(benchmarked.pool());
        Load bare = new Load(count, Integer.MAX_VALUE, turn, number -> select.run("live", idOf(pick(tokens))));
        return compared(BARE, bare, VERIFY, verifying(registry, tokens, count));
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
            List<Double> foreignId = new ArrayList<>();
            List<Double> foreignHash = new ArrayList<>();
            for (int i = 0; i < callsPerRound; i++) {
                String token = pick(tokens);
                String secret = token.substring(token.lastIndexOf('_') + 1);
                String otherSecret = "00".repeat(secret.length() / 2);
                unknown.add(micros(registry, token.replace(idOf(token), "%016x".formatted(i)), false));
                wrong.add(micros(registry, token.replace(secret, otherSecret), false));
                foreignId.add(micros(registry, ForeignKeys.withId(-1 - i), false));
                foreignHash.add(micros(registry, ForeignKeys.byHash(-1 - i), false));
            }
            turns.add(UNKNOWN, Spread.of(unknown).median());
            turns.add(WRONG, Spread.of(wrong).median());
            turns.add(FOREIGN_ID, Spread.of(foreignId).median());
            turns.add(FOREIGN_HASH, Spread.of(foreignHash).median());
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
