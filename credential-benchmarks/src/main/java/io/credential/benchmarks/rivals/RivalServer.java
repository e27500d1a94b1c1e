package io.credential.benchmarks.rivals;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.simple.JdbcClient;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/** A PostgreSQL server with the durability of its defaults, and a database with a pool for each contender. */
final class RivalServer implements Closeable {

    private static final int RESERVED_CONNECTIONS = 20;

    private final EmbeddedPostgres server;
    private final int poolSize;
    private final List<HikariDataSource> pools = new ArrayList<>();

    private RivalServer(EmbeddedPostgres server, int poolSize) {
        this.server = server;
        this.poolSize = poolSize;
    }

    static RivalServer start(int databases, int poolSize) throws IOException {
        return new RivalServer(
                EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(1))
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig(
                                "max_connections", Integer.toString(databases * poolSize + RESERVED_CONNECTIONS))
                        .start(),
                poolSize);
    }

    HikariDataSource createDatabase(String name) {
        JdbcClient.create(server.getPostgresDatabase())
                .sql("create database " + name)
                .update();
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(server.getJdbcUrl("postgres", name));
        config.setMaximumPoolSize(poolSize);
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return pool;
    }

    @Override
    public void close() throws IOException {
        pools.forEach(HikariDataSource::close);
        server.close();
    }
}
