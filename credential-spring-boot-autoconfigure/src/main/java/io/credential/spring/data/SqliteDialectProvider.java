package io.credential.spring.data;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.jdbc.core.dialect.DialectResolver.JdbcDialectProvider;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Provides the dialect for SQLite, which Spring Data JDBC lacks. Has the lowest precedence: a dialect of the
 * application wins. Found through {@code spring.factories}, and loaded only by Spring Data JDBC.
 */
@Order(Ordered.LOWEST_PRECEDENCE)
final class SqliteDialectProvider implements JdbcDialectProvider {

    private static final String SQLITE = "SQLite";

    @Override
    public Optional<Dialect> getDialect(JdbcOperations operations) {
        String product = operations.execute((ConnectionCallback<String>) SqliteDialectProvider::product);
        return SQLITE.equals(product) ? Optional.of(SqliteDialect.INSTANCE) : Optional.empty();
    }

    private static String product(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName();
    }
}
