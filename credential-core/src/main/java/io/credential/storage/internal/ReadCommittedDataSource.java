package io.credential.storage.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Lends READ COMMITTED connections of a DataSource, and gives them back with the isolation that they had. */
final class ReadCommittedDataSource extends DelegatingDataSource {

    ReadCommittedDataSource(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        int isolation;
        try {
            isolation = connection.getTransactionIsolation();
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        close(connection, isolation);
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private static void close(Connection connection, int isolation) throws SQLException {
        try (connection) {
            if (connection.isClosed()) {
                return;
            }
            if (!connection.getAutoCommit()) {
                connection.rollback(); // the isolation cannot be set in a transaction
            }
            connection.setTransactionIsolation(isolation);
        }
    }
}
