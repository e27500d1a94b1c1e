package io.credential.benchmarks.cluster;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts the connections that each thread borrows. Thread-safe. */
final class BorrowedConnections extends DelegatingDataSource {

    private final ThreadLocal<Long> borrowed = ThreadLocal.withInitial(() -> 0L);

    BorrowedConnections(DataSource pool) {
        super(pool);
    }

    @Override
    public Connection getConnection() throws SQLException {
        borrowed.set(borrowed.get() + 1);
        return super.getConnection();
    }

    long ofThisThread() {
        return borrowed.get();
    }
}
