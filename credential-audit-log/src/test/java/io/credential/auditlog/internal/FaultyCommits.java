package io.credential.auditlog.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A DataSource whose connections break at some commits, before or after these take effect. */
final class FaultyCommits extends DelegatingDataSource {

    final AtomicInteger failBefore = new AtomicInteger();
    final AtomicInteger failAfter = new AtomicInteger();

    FaultyCommits(DataSource target) {
        super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                FaultyCommits.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    boolean commit = method.getName().equals("commit");
                    if (commit && take(failBefore)) {
                        connection.rollback();
                        throw broken();
                    }
                    Object result;
                    try {
                        result = method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                    if (commit && take(failAfter)) {
                        throw broken();
                    }
                    return result;
                });
    }

    private static boolean take(AtomicInteger failures) {
        return failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    }

    private static SQLException broken() {
        return new SQLException("The connection broke", "08006");
    }
}
