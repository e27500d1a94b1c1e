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
import java.util.function.BooleanSupplier;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.StoredApiKeys;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditOrigin;
import io.credential.auditlog.AuditVerification;
import io.credential.auditlog.internal.JdbcAuditLog;
import io.credential.auditlog.internal.OverflowPolicy;
import io.credential.benchmarks.BenchmarkDatabase;
import io.credential.benchmarks.Harness;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.Profile;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;
import io.credential.seal.internal.Keyring;
import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;

/**
 * Verify throughput while events are appended to the audit log at a constant rate and until all are stored, beside the
 * throughput without them, on PostgreSQL and SQLite, in turns of one run. Then verifies the log. Goals: 0.9 of the
 * throughput without them, 0.98 of the events that are offered per second are stored per second, no findings, and no lost
 * event.
 */
public final class AuditLogBenchmark {

    private static final int KEYS = 2000;
    private static final int EVENTS_PER_SECOND = 5000;
    private static final int THREADS = 8;
    private static final double GOAL = 0.9;
    private static final double STORED_GOAL = 0.98;
    private static final long TICK_MILLIS = 5;
    private static final Duration SLICE = Duration.ofMillis(200);

    private static final String ALONE = "verify/s";
    private static final String APPENDING = "verify/s while appending";
    private static final String STORED = "stored/s";
    private static final String OFFERED = "offered/s";
    private static final String VERIFIED = "entries verified/s";
    private static final String FINDINGS = "findings in the log";
    private static final String LOST = "events lost";

    private final int rounds;
    private final Duration alone;

    /**
     * In the short and the full form, several times as many events as may wait, so that the writer must keep up; and long
     * compared with the last batches, for which the rate of stored events also waits.
     */
    private final Duration appending;

    private AuditLogBenchmark(Profile profile) {
        this.rounds = profile.choose(1, 2, 5);
        this.alone = profile.choose(SLICE, Duration.ofSeconds(2), Duration.ofSeconds(3));
        this.appending = profile.choose(SLICE, Duration.ofSeconds(11), Duration.ofSeconds(11));
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
        new SchemaMigrator(
                        database,
                        SchemaScripts.CORE.and(JdbcApiKeyRegistries.SCHEMA).and(JdbcAuditLog.SCHEMA))
                .run(SchemaMode.MIGRATE);
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
                        StoredApiKeys.versions(database, keyring, random))) {
            registries.start();
            ApiKeyRegistry registry = registries.get("live");
            List<String> tokens = issue(database, registry);
            Load verify = new Load(THREADS, Integer.MAX_VALUE, SLICE, number -> {
                if (registry.verify(tokens.get(ThreadLocalRandom.current().nextInt(KEYS)))
                        .isEmpty()) {
                    throw new IllegalStateException("A valid key was rejected");
                }
            });
            round(alone, new Turns(), verify, database, log); // compiles what is measured
            Turns turns = Turns.takeCold(rounds, round -> round(appending, round, verify, database, log));
            report(name, turns, log, table);
        }
    }

    private void round(Duration recorded, Turns turns, Load verify, CredentialDatabase database, JdbcAuditLog log)
            throws Exception {
        long end = System.nanoTime() + alone.toNanos();
        turns.add(ALONE, verifiedPerSecond(verify, () -> System.nanoTime() > end));
        measureAppending(recorded, turns, verify, database, log);
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

    /** Verifies until all events are stored, so that no turn pays for another. */
    private static void measureAppending(
            Duration recorded, Turns turns, Load verify, CredentialDatabase database, JdbcAuditLog log)
            throws Exception {
        ExecutorService source = Executors.newSingleThreadExecutor();
        try {
            Future<Double> stored = source.submit(() -> storedPerSecond(recorded, database, log));
            turns.add(APPENDING, verifiedPerSecond(verify, stored::isDone));
            turns.add(STORED, stored.get());
            turns.add(OFFERED, EVENTS_PER_SECOND);
        } finally {
            source.shutdownNow();
        }
    }

    private static double verifiedPerSecond(Load verify, BooleanSupplier end) throws Exception {
        long start = System.nanoTime();
        long verified = 0;
        do {
            verified += verify.run().calls();
        } while (!end.getAsBoolean());
        return verified / ((System.nanoTime() - start) / 1e9);
    }

    /** Records events at a constant rate, and returns how many per second were stored by the time that none waited. */
    private static double storedPerSecond(Duration recorded, CredentialDatabase database, JdbcAuditLog log)
            throws InterruptedException {
        long before = stored(database);
        long lostBefore = log.lostEvents();
        long start = System.nanoTime();
        long count = 0;
        for (long elapsed = 0; elapsed < recorded.toNanos(); elapsed = System.nanoTime() - start) {
            for (; count < elapsed / 1e9 * EVENTS_PER_SECOND; count++) {
                log.sink().record(event(count));
            }
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        }
        while (stored(database) - before < count - (log.lostEvents() - lostBefore)) {
            TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        }
        return (count - (log.lostEvents() - lostBefore)) / ((System.nanoTime() - start) / 1e9);
    }

    /** The log has one chain; a count of all entries would compete with what is measured. */
    private static long stored(CredentialDatabase database) {
        return database.jdbc().sql("""
                        SELECT coalesce(max(seq), 0) FROM _credential_audit_log
                        WHERE chain = (SELECT max(chain) FROM _credential_audit_log)""").query(Long.class).single();
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
        table.ratioAtLeast(row, turns, STORED, OFFERED, STORED_GOAL);
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
