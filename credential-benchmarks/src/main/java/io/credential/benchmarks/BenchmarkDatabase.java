package io.credential.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.sqlite.SqliteDataSource;

/**
 * A pooled database with the durability of its defaults.
 *
 * @param pool what is measured uses it
 * @param control the harness observes the database through it; PostgreSQL does not count these statements
 * @param stop ends what is behind them
 */
public record BenchmarkDatabase(HikariDataSource pool, HikariDataSource control, Closeable stop) implements Closeable {

    /** One for each of 16 callers, and those of the dispatcher, for which the callers would otherwise wait. */
    private static final int POOL_SIZE = 20;

    private static final long POLL_MILLIS = 5;

    public static BenchmarkDatabase postgres() throws IOException {
        return postgres(Map.of());
    }

    /** @param settings of the server, in addition to those that the harness needs */
    public static BenchmarkDatabase postgres(Map<String, String> settings) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("shared_preload_libraries", "pg_stat_statements")
                .setServerConfig("pg_stat_statements.track_utility", "off");
        settings.forEach(builder::setServerConfig);
        EmbeddedPostgres server = builder.start();
        HikariDataSource pool = new HikariDataSource(config(server, POOL_SIZE));
        HikariConfig uncounted = config(server, 1);
        uncounted.addDataSourceProperty("options", "-c pg_stat_statements.track=none");
        HikariDataSource control = new HikariDataSource(uncounted);
        BenchmarkDatabase database = new BenchmarkDatabase(pool, control, () -> {
            control.close();
            pool.close();
            server.close();
        });
        JdbcClient.create(control).sql("create extension pg_stat_statements").update();
        database.countStatements(false);
        return database;
    }

    private static HikariConfig config(EmbeddedPostgres server, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
        config.setMaximumPoolSize(size);
        return config;
    }

    public static BenchmarkDatabase sqlite() throws IOException {
        Path directory = Files.createTempDirectory("credential-benchmark");
        HikariDataSource pool = SqliteDataSource.pooled(directory.resolve("benchmark.db"));
        return new BenchmarkDatabase(pool, pool, () -> {
            pool.close();
            FileSystemUtils.deleteRecursively(directory);
        });
    }

    public CredentialDatabase open() {
        return CredentialDatabase.of(pool);
    }

    /** Makes PostgreSQL count the statements of all sessions but {@code control}, or stops that, which is faster. */
    public void countStatements(boolean counted) {
        JdbcClient client = JdbcClient.create(control);
        client.sql("alter system set pg_stat_statements.track = " + (counted ? "top" : "none"))
                .update();
        client.sql("select pg_reload_conf()").query(Boolean.class).single();
        // Sessions learn of the setting a moment later.
        client.sql("select cast(pg_sleep(0.5) as text)").query(String.class).single();
    }

    /**
     * Returns whether every delivery is delivered or dead. The question is one search of the index of open deliveries: reading
     * the table would take a processor from what is measured. The search begins with those that are due last: while a
     * transaction is held open, it would otherwise step over all that are settled.
     */
    public boolean isSettled() {
        return JdbcClient.create(control).sql("""
                select 1 from _credential_webhook_deliveries
                where delivered_at is null and dead_at is null order by endpoint_id desc, next_attempt_at desc limit 1""").query(Integer.class).list().isEmpty();
    }

    /** Waits until every delivery is delivered or dead. */
    public void awaitSettled() throws InterruptedException {
        long end = System.nanoTime() + Load.LIMIT.toNanos();
        while (!isSettled()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("Deliveries are still open after " + Load.LIMIT);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    @Override
    public void close() {
        try {
            stop.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
