package io.credential.internal.notification;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import com.zaxxer.hikari.HikariDataSource;

import ch.qos.logback.classic.Level;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.StallingProxy;
import io.credential.testing.TestDatabase;

import static io.credential.internal.notification.NotificationNodes.TIMING;
import static io.credential.internal.notification.NotificationNodes.TOPIC;
import static io.credential.internal.notification.NotificationNodes.direct;
import static io.credential.internal.notification.NotificationNodes.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** When a node knows that it hears the others, and how it treats the connection on which it listens. */
class NotificationListeningTests {

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final NotificationNodes nodes = new NotificationNodes(SERVER);

    private final RecordingListener listener = new RecordingListener();

    @Test
    void startWhenServerStaysUnreachableThenWarnsOnce() throws Exception {
        try (CapturedLog log = CapturedLog.of(NotificationReceiver.class);
                StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            proxy.refuse();
            AtomicInteger attempts = new AtomicInteger();
            DataSource counted = new DelegatingDataSource(direct(proxy.jdbcUrl())) {
                @Override
                public Connection getConnection() throws SQLException {
                    attempts.incrementAndGet();
                    return super.getConnection();
                }
            };
            nodes.notifications(SERVER.database(), counted).start();

            Patience.until(() -> attempts.get() >= 3);

            assertThat(log.lines(Level.WARN)).hasSize(1);
        }
    }

    @Test
    void startWhenServerIsUnreachableThenListensLater() throws Exception {
        try (CapturedLog log = CapturedLog.of(NotificationReceiver.class);
                StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            proxy.refuse();
            PostgresNotifications node = nodes.notifications(SERVER.database(), direct(proxy.jdbcUrl()));
            node.start();
            Patience.until(() -> !log.lines(Level.WARN).isEmpty());
            assertThat(node.isListening()).isFalse();

            proxy.resume();

            Patience.until(node::isListening);
        }
    }

    @Test
    void startWhenThreeProofsAreMissingThenWarnedOnce() {
        AtomicLong nanos = new AtomicLong();
        AtomicInteger attempts = new AtomicInteger();
        try (TestDatabase another = TestDatabase.create(DatabaseKind.POSTGRESQL);
                CapturedLog log = CapturedLog.of(NotificationReceiver.class)) {
            PostgresNotifications node = nodes.withClock(nanos, new DelegatingDataSource(direct(another.jdbcUrl())) {
                @Override
                public Connection getConnection() throws SQLException {
                    attempts.incrementAndGet();
                    return super.getConnection();
                }
            });
            node.subscribe(TOPIC, listener);

            node.start();

            untilInTheEnd(nanos, another, () -> !log.lines(Level.WARN).isEmpty());
            assertThat(attempts).hasValue(NotificationReceiver.ATTEMPTS_TO_PROVE);
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("PgBouncer", "credential.cluster.listen-url");
            assertThat(node.isListening()).isFalse();
            assertThat(listener.missed).hasValue(0);
        }
    }

    @Test
    void isListeningWhenLaterProofsAreMissingThenTriesOn() throws Exception {
        AtomicLong nanos = new AtomicLong();
        AtomicInteger astray = new AtomicInteger();
        AtomicInteger connections = new AtomicInteger();
        try (TestDatabase another = TestDatabase.create(DatabaseKind.POSTGRESQL);
                StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            DataSource elsewhere = direct(another.jdbcUrl());
            PostgresNotifications node = nodes.withClock(nanos, new DelegatingDataSource(direct(proxy.jdbcUrl())) {
                @Override
                public Connection getConnection() throws SQLException {
                    connections.incrementAndGet();
                    return astray.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                            ? elsewhere.getConnection()
                            : super.getConnection();
                }
            });
            node.start();
            Patience.until(node::isListening);
            int before = connections.get();

            astray.set(NotificationReceiver.ATTEMPTS_TO_PROVE);
            proxy.refuse();
            proxy.resume();
            untilInTheEnd(nanos, another, () -> connections.get() > before + NotificationReceiver.ATTEMPTS_TO_PROVE);

            Patience.until(node::isListening);
        }
    }

    /** Lets time pass: what listens at this database notices it when it receives something. */
    private static void untilInTheEnd(AtomicLong nanos, TestDatabase database, Callable<Boolean> condition) {
        NotificationChannel channel = new NotificationChannel(database.database());
        Payload foreign = new Payload("another", List.of(Message.of(TOPIC, "wakes")));
        Patience.until(() -> {
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            channel.send(foreign);
            return condition.call();
        });
    }

    @Test
    void isListeningWhenConnectionBreaksThenFalseUntilNext() throws Exception {
        try (CapturedLog log = CapturedLog.of(NotificationReceiver.class);
                StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            PostgresNotifications node = nodes.notifications(SERVER.database(), direct(proxy.jdbcUrl()));
            node.subscribe(TOPIC, listener);
            node.start();
            Patience.until(node::isListening);
            assertThat(listener.missed).hasValue(1);

            proxy.refuse();
            Patience.until(() -> !node.isListening());
            Patience.until(() -> !log.lines(Level.WARN).isEmpty());
            proxy.resume();
            Patience.until(node::isListening);

            assertThat(listener.missed).hasValue(2);
            assertThat(log.lines(Level.WARN)).singleElement().asString().contains("cannot listen");
            assertThat(log.lines(Level.INFO)).containsExactly("Notifications of other nodes arrive again");
        }
    }

    @Test
    void isListeningWhenConnectionIsHalfOpenThenFalse() throws Exception {
        try (StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            NotificationTiming checking =
                    new NotificationTiming(Duration.ofMillis(10), TIMING.firstPause(), TIMING.stopDeadline());
            PostgresNotifications node =
                    nodes.notifications(SERVER.database(), direct(proxy.jdbcUrl()), System::nanoTime, checking);
            node.start();
            Patience.until(node::isListening);

            proxy.stall();

            Patience.until(() -> !node.isListening());
            proxy.resume();
            Patience.until(node::isListening);
        }
    }

    @Test
    void isListeningWhenHeartbeatIsDueThenProvenAgain() {
        AtomicLong nanos = new AtomicLong();
        PostgresNotifications node = nodes.withClock(nanos, direct(SERVER.jdbcUrl()));
        node.start();
        Patience.until(node::isListening);
        PostgresNotifications other = nodes.started();

        for (int i = 0; i < 3; i++) {
            nanos.addAndGet(Duration.ofSeconds(11).toNanos()); // longer than a proof counts
            other.publish(TOPIC, "wakes-" + i);

            Patience.until(node::isListening);
        }
    }

    @Test
    void isListeningWhenProofIsSlowThenCountsFromItsSending() {
        AtomicLong nanos = new AtomicLong();
        CredentialDatabase slow = CredentialDatabase.of(new DelegatingDataSource(SERVER.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                nanos.addAndGet(Duration.ofSeconds(11).toNanos()); // longer than a proof counts
                return super.getConnection();
            }
        });
        PostgresNotifications node = nodes.notifications(slow, direct(SERVER.jdbcUrl()), nanos::get);
        node.subscribe(TOPIC, listener);
        PostgresNotifications other = nodes.started();
        node.start();
        Patience.until(() -> listener.missed.get() == 1);
        other.publish(TOPIC, "after-the-proof");
        Patience.until(() -> listener.texts.contains("after-the-proof"));
        assertThat(node.isListening()).isFalse();

        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        other.publish(TOPIC, "wakes");

        Patience.until(node::isListening);
    }

    @Test
    void isListeningWhenBrokenConnectionIsClosedThenFalse() throws Exception {
        List<Boolean> whenClosed = new CopyOnWriteArrayList<>();
        AtomicReference<PostgresNotifications> node = new AtomicReference<>();
        try (StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            node.set(nodes.notifications(SERVER.database(), new DelegatingDataSource(direct(proxy.jdbcUrl())) {
                @Override
                public Connection getConnection() throws SQLException {
                    Connection connection = super.getConnection();
                    return (Connection) Proxy.newProxyInstance(
                            Connection.class.getClassLoader(),
                            new Class<?>[] {Connection.class},
                            (self, method, arguments) -> {
                                if (method.getName().equals("abort")
                                        || method.getName().equals("close")) {
                                    whenClosed.add(node.get().isListening());
                                }
                                return method.invoke(connection, arguments);
                            });
                }
            }));
            node.get().start();
            Patience.until(node.get()::isListening);

            proxy.refuse();
            Patience.until(() -> !whenClosed.isEmpty());

            assertThat(whenClosed).doesNotContain(true);
        }
    }

    @Test
    void autoCommitWhenOffThenListensNevertheless() {
        DataSource manual = new DelegatingDataSource(direct(SERVER.jdbcUrl())) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                connection.setAutoCommit(false);
                return connection;
            }
        };
        PostgresNotifications node = nodes.notifications(SERVER.database(), manual);

        node.start();

        Patience.until(node::isListening);
    }

    @Test
    void closeWhenConnectionIsPooledThenGivenBack() throws SQLException {
        try (HikariDataSource pool = pool(SERVER.jdbcUrl())) {
            PostgresNotifications node = nodes.notifications(CredentialDatabase.of(pool), pool);
            node.start();
            Patience.until(node::isListening);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isOne();

            node.close();

            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(0)).isTrue();
            }
        }
    }

    @Test
    void sessionWhenClosedThenConnectionIsAsBefore() throws SQLException {
        SingleConnectionDataSource pool = new SingleConnectionDataSource(SERVER.jdbcUrl(), true);
        pool.setAutoCommit(false);
        Connection borrowed = pool.getConnection();
        borrowed.setNetworkTimeout(Runnable::run, 123_456);

        ListeningSession.open(pool, "channel", Patience.LIMIT).close();

        assertThat(borrowed.getNetworkTimeout()).isEqualTo(123_456);
        assertThat(borrowed.getAutoCommit()).isFalse();
        try (Statement statement = borrowed.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_listening_channels()")) {
            row.next();
            assertThat(row.getInt(1)).isZero();
        }
        pool.destroy();
    }

    @Test
    void sessionWhenNotRestorableThenConnectionIsAborted() throws SQLException {
        SingleConnectionDataSource pool = new SingleConnectionDataSource(SERVER.jdbcUrl(), true);
        Connection borrowed = pool.getConnection();
        ListeningSession session = ListeningSession.open(pool, "channel", Patience.LIMIT);
        borrowed.setAutoCommit(false);
        assertThatThrownBy(() -> execute(borrowed, "no SQL")).isInstanceOf(SQLException.class);

        session.close(); // the failed transaction refuses UNLISTEN

        assertThat(borrowed.isClosed()).isTrue();
        pool.destroy();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void constructorWhenDatabaseIsSqliteThenRefused() {
        try (TestDatabase file = TestDatabase.create(DatabaseKind.SQLITE)) {
            CredentialDatabase sqlite = file.database();
            DataSource connections = file.dataSource();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> nodes.notifications(sqlite, connections))
                    .withMessageContaining("SQLITE");
        }
    }
}
