package io.credential.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;

/** A database on the PostgreSQL server of this JVM. */
final class PostgresTestDatabase extends TestDatabase {

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
    HikariDataSource openMigrated() {
        if (pool != PoolKind.ofThisRun()) { // the scripts must run on such a pool as well
            HikariDataSource empty = open();
            migrate(empty);
            return empty;
        }
        execute(server, "create database " + name + " template " + Template.NAME);
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

    /** Created when it is first asked for. */
    private static final class Template {

        static final String NAME = name();

        private static String name() {
            PostgresTestDatabase template = PostgresTestDatabase.create(PoolKind.ofThisRun());
            try (HikariDataSource empty = template.open()) {
                migrate(empty);
            }
            if (template.server.outlivesTests()) {
                Runtime.getRuntime().addShutdownHook(new Thread(template::remove, "remove-template"));
            }
            return template.name;
        }
    }
}
