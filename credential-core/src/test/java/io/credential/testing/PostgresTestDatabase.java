package io.credential.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** A database on the PostgreSQL server of this JVM. */
final class PostgresTestDatabase extends TestDatabase {

    private final PostgresServer server;
    private final String name;
    private final PoolKind pool;

    private PostgresTestDatabase(PostgresServer server, String name, PoolKind pool) {
        super(DatabaseKind.POSTGRESQL, server.jdbcUrl(name), pool(server.jdbcUrl(name), pool));
        this.server = server;
        this.name = name;
        this.pool = pool;
    }

    public static PostgresTestDatabase create(PoolKind pool) {
        PostgresServer server = PostgresServer.shared();
        String name = "t_" + UUID.randomUUID().toString().replace("-", "");
        execute(server, "create database " + name);
        return new PostgresTestDatabase(server, name, pool);
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
}
