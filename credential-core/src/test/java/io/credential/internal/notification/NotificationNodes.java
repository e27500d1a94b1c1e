package io.credential.internal.notification;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

/** Nodes that notify each other through a database. Closing it closes them. */
final class NotificationNodes implements AutoCloseable {

    static final String TOPIC = "keys";

    /** Connects again almost at once. */
    static final NotificationTiming TIMING =
            new NotificationTiming(NotificationTiming.DEFAULT.heartbeat(), Duration.ofMillis(10), Patience.LIMIT);

    private final TestDatabase server;
    private final List<PostgresNotifications> opened = new ArrayList<>();

    NotificationNodes(TestDatabase server) {
        this.server = server;
    }

    PostgresNotifications started() {
        PostgresNotifications node = notifications(server.database(), direct(server.jdbcUrl()));
        node.start();
        Patience.until(node::isListening);
        return node;
    }

    PostgresNotifications withClock(AtomicLong nanos, DataSource connections) {
        return notifications(server.database(), connections, nanos::get);
    }

    PostgresNotifications notifications(CredentialDatabase database, DataSource connections) {
        return notifications(database, connections, System::nanoTime);
    }

    PostgresNotifications notifications(CredentialDatabase database, DataSource connections, LongSupplier nanoTime) {
        return notifications(database, connections, nanoTime, TIMING);
    }

    PostgresNotifications notifications(
            CredentialDatabase database, DataSource connections, LongSupplier nanoTime, NotificationTiming timing) {
        PostgresNotifications node =
                new PostgresNotifications(database, connections, nanoTime, new SecureRandom(), timing);
        opened.add(node);
        return node;
    }

    static DataSource direct(String jdbcUrl) {
        return new DriverManagerDataSource(jdbcUrl);
    }

    static HikariDataSource pool(String jdbcUrl) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(4);
        pool.setConnectionTimeout(1000);
        return pool;
    }

    @Override
    public void close() {
        opened.forEach(PostgresNotifications::close);
    }
}
