package io.credential.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import io.credential.storage.SqliteDataSource;

/**
 * A pooled database with the durability of its defaults.
 *
 * @param dataSource the pool
 * @param stop ends what is behind it
 */
record BenchmarkDatabase(DataSource dataSource, Closeable stop) implements Closeable {

    private static final int POOL_SIZE = 16;

    static BenchmarkDatabase postgres() throws IOException {
        EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.getJdbcUrl("postgres", "postgres"));
        config.setMaximumPoolSize(POOL_SIZE);
        HikariDataSource pool = new HikariDataSource(config);
        return new BenchmarkDatabase(pool, () -> {
            pool.close();
            server.close();
        });
    }

    static BenchmarkDatabase sqlite(Path directory) {
        HikariDataSource pool = SqliteDataSource.pooled(directory.resolve("benchmark.db"));
        return new BenchmarkDatabase(pool, pool);
    }

    @Override
    public void close() throws IOException {
        stop.close();
    }
}
