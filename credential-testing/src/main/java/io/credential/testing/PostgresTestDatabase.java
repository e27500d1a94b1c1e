package io.credential.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.SchemaScripts;

/** A database on the PostgreSQL server of this JVM. */
final class PostgresTestDatabase extends TestDatabase {

    /** The names of migrated databases, which are not used themselves. */
    private static final Map<List<SchemaScripts>, String> TEMPLATES = new ConcurrentHashMap<>();

    private final PostgresServer server;
    private final String name;
    private final PoolKind pool;

    private PostgresTestDatabase(PostgresServer server, String name, PoolKind pool) {
        super(DatabaseKind.POSTGRESQL, server.jdbcUrl(name));
        this.server = server;
        this.name = name;
        this.pool = pool;
    }

    public static PostgresTestDatabase create(PoolKind pool) {
        String name = "t_" + UUID.randomUUID().toString().replace("-", "");
        return new PostgresTestDatabase(PostgresServer.shared(), name, pool);
    }

    @Override
    HikariDataSource open() {
        execute(server, "create database " + name);
        return pool(server.jdbcUrl(name), pool);
    }

    @Override
    HikariDataSource openMigrated(List<SchemaScripts> scripts) {
        if (pool != PoolKind.ofThisRun()) { // the scripts must run on such a pool as well
            HikariDataSource empty = open();
            scripts.forEach(needed -> run(needed, empty));
            return empty;
        }
        String template = TEMPLATES.computeIfAbsent(scripts, PostgresTestDatabase::template);
        execute(server, "create database " + name + " template " + template);
        return pool(server.jdbcUrl(name), pool);
    }

    @Override
    void remove() {
        execute(server, "drop database if exists " + name + " with (force)");
    }

    @Override
    public String toString() {
        return pool == PoolKind.STANDARD ? super.toString() : super.toString() + " " + pool;
    }

    private static void execute(PostgresServer server, String sql) {
        try (Connection connection = DriverManager.getConnection(server.adminUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("The test server refused: " + sql, e);
        }
    }

    private static String template(List<SchemaScripts> scripts) {
        PostgresTestDatabase template = PostgresTestDatabase.create(PoolKind.ofThisRun());
        try (HikariDataSource empty = template.open()) {
            scripts.forEach(needed -> run(needed, empty));
        }
        if (template.server.outlivesTests()) {
            Runtime.getRuntime().addShutdownHook(new Thread(template::remove, "remove-template"));
        }
        return template.name;
    }
}
