package io.credential.benchmarks.apikey;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.JdbcApiKeyRegistries;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditOrigin;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.JdbcAuditLog;
import io.credential.auditlog.OverflowPolicy;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.seal.Keyring;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaMode;

/**
 * Verify throughput while events are appended to the audit log at a constant rate, beside the throughput without them, on
 * PostgreSQL and SQLite, in turns of one run. Then verifies the log. Goals: 0.9 of the throughput without
 * them, no findings, and no lost event.
 */
public final class AuditLogBenchmark {

    private static final int KEYS = 2000;
    private static final int EVENTS_PER_SECOND = 5000;
    private static final int THREADS = 8;
    private static final double GOAL = 0.9;
    private static final long TICK_MILLIS = 5;

    private static final String ALONE = "verify/s";
    private static final String APPENDING = "verify/s while appending";
    private static final String RATE = "appended/s";
    private static final String VERIFIED = "entries verified/s";
    private static final String FINDINGS = "findings in the log";
    private static final String LOST = "events lost";

    private final int rounds;
    private final Duration turn;

    private AuditLogBenchmark(Profile profile) {
        this.rounds = profile.choose(1, 7, 31);
        this.turn = profile.choose(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    public static void main(String[] arguments) {
        Harness.main("audit-log", arguments, AuditLogBenchmark::measure);
    }

    static void measure(Profile profile, Table table) throws Exception {
        AuditLogBenchmark benchmark = new AuditLogBenchmark(profile);
        try (BenchmarkDatabase postgres = BenchmarkDatabase.postgres();
                BenchmarkDatabase sqlite = BenchmarkDatabase.sqlite()) {
            benchmark.measure("audit log, PostgreSQL", postgres.open(), table);
            benchmark.measure("audit log, SQLite", sqlite.open(), table);
        }
    }

    private void measure(String name, CredentialDatabase database, Table table) throws Exception {
        new SchemaMigrator(database).run(SchemaMode.MIGRATE);
        SecureRandom random = new SecureRandom();
        Keyring keyring = Keyring.generate(random);
        try (JdbcApiKeyRegistries registries = JdbcApiKeyRegistries.builder(database, keyring)
                        .registry(ApiKeyRegistryOptions.forNamespace("live"))
                        .build();
                JdbcAuditLog log = new JdbcAuditLog(
                        database,
                        keyring,
                        InstantSource.system(),
                        random,
                        OverflowPolicy.DROP,
                        true,
                        JdbcApiKeyRegistries.versions(database, keyring, random))) {
            registries.start();
            ApiKeyRegistry registry = registries.get("live");
            List<String> tokens = issue(database, registry);
            Load verify = new Load(THREADS, Integer.MAX_VALUE, turn, number -> {
                if (registry.verify(tokens.get(ThreadLocalRandom.current().nextInt(KEYS)))
                        .isEmpty()) {
                    throw new IllegalStateException("A valid key was rejected");
                }
            });
            Turns turns = Turns.take(rounds, round -> {
                round.add(ALONE, verify.run().perSecond());
                measureAppending(round, verify, database, log);
            });
            report(name, turns, log, table);
        }
    }

    private static List<String> issue(CredentialDatabase database, ApiKeyRegistry registry) {
        List<String> tokens = new ArrayList<>(KEYS);
        database.inTransaction(() -> {
            for (int i = 0; i < KEYS; i++) {
                tokens.add(registry.issue(IssueRequest.forOwner("owner-" + i).scopes("orders:read"))
                        .key());
            }
            return tokens;
        });
        return tokens;
    }

    /** Waits before and after the turn until everything is stored, so that no turn pays for another. */
    private void measureAppending(Turns turns, Load verify, CredentialDatabase database, JdbcAuditLog log)
            throws Exception {
        ExecutorService source = Executors.newSingleThreadExecutor();
        try {
            long before = stored(database);
            long start = System.nanoTime();
            Future<Long> recorded = source.submit(() -> record(log, start));
            double throughput = verify.run().perSecond();
            double atEnd = (stored(database) - before) / ((System.nanoTime() - start) / 1e9);
            turns.add(APPENDING, throughput);
            turns.add(RATE, atEnd);
            long all = before + recorded.get();
            while (stored(database) < all - log.lostEvents()) {
                TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
            }
        } finally {
            source.shutdownNow();
        }
    }

    private static long stored(CredentialDatabase database) {
        return database.jdbc()
                .sql("SELECT count(*) FROM _credential_audit_log")
                .query(Long.class)
                .single();
    }

    private long record(JdbcAuditLog log, long start) throws InterruptedException {
        long count = 0;
        for (long elapsed = 0; elapsed < turn.toNanos(); elapsed = System.nanoTime() - start) {
            for (; count < elapsed / 1e9 * EVENTS_PER_SECOND; count++) {
                log.sink().record(event(count));
            }
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        }
        return count;
    }

    private static AuditEvent event(long number) {
        return new AuditEvent(
                "apikey.verify",
                AuditEvent.Outcome.SUCCESS,
                null,
                "api-key:0011223344556677",
                "api-key",
                Long.toHexString(number),
                Instant.now(),
                Map.of("usedSecondary", false),
                new AuditOrigin("192.0.2.17", "Mozilla/5.0 (X11; Linux x86_64)", "4bf92f3577b34da6a3ce929d0e0e4736"));
    }

    private static void report(String row, Turns turns, JdbcAuditLog log, Table table) {
        table.ratioAtLeast(row, turns, APPENDING, ALONE, GOAL);
        table.value(row, turns, RATE);
        long start = System.nanoTime();
        AuditVerification verification = log.verify();
        Turns verified = new Turns();
        verified.add(VERIFIED, verification.entries() / ((System.nanoTime() - start) / 1e9));
        verified.add(FINDINGS, verification.findings().size());
        verified.add(LOST, (double) log.lostEvents());
        table.value(row, verified, VERIFIED);
        table.valueAtMost(row, verified, FINDINGS, 0);
        table.valueAtMost(row, verified, LOST, 0);
    }
}
