package io.credential.internal.notification;

import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import com.zaxxer.hikari.HikariDataSource;

import ch.qos.logback.classic.Level;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.RecordedStatements;
import io.credential.testing.StallingProxy;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PostgresNotificationsTests {

    private static final String TOPIC = "keys";

    /** Connects again almost at once. */
    private static final NotificationTiming TIMING =
            new NotificationTiming(NotificationTiming.DEFAULT.heartbeat(), Duration.ofMillis(10), Patience.LIMIT);

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private final List<PostgresNotifications> opened = new ArrayList<>();
    private final RecordingListener listener = new RecordingListener();

    @AfterEach
    void closeAll() {
        opened.forEach(PostgresNotifications::close);
    }

    @Test
    void publishThenOtherNodesReceiveAndNotTheSender() {
        PostgresNotifications sender = started();
        PostgresNotifications receiver = started();
        RecordingListener own = new RecordingListener();
        RecordingListener otherTopic = new RecordingListener();
        sender.subscribe(TOPIC, own);
        receiver.subscribe(TOPIC, listener);
        receiver.subscribe("other", otherTopic);

        sender.publish(TOPIC, "live/0123abcd");
        Patience.until(() -> listener.texts.contains("live/0123abcd"));
        receiver.publish(TOPIC, "back");
        Patience.until(() -> own.texts.contains("back"));

        assertThat(own.texts).containsExactly("back");
        assertThat(otherTopic.texts).isEmpty();
    }

    @Test
    void publishWhenSubscriptionIsClosedThenNotReceived() {
        PostgresNotifications sender = started();
        PostgresNotifications receiver = started();
        receiver.subscribe(TOPIC, new FailingListener());
        receiver.subscribe(TOPIC, listener).close();
        RecordingListener next = new RecordingListener();
        receiver.subscribe(TOPIC, next);

        sender.publish(TOPIC, "text");

        Patience.until(() -> next.texts.contains("text"));
        assertThat(listener.texts).isEmpty();
    }

    @Test
    void publishWhenInAnotherSchemaThenNotReceived() {
        var unused = SERVER.database()
                .jdbc()
                .sql("create schema if not exists other")
                .update();
        PostgresNotifications receiver = started();
        receiver.subscribe(TOPIC, listener);
        String other = SERVER.jdbcUrl() + (SERVER.jdbcUrl().contains("?") ? "&" : "?") + "currentSchema=other";
        PostgresNotifications sender = notifications(CredentialDatabase.of(direct(other)), direct(SERVER.jdbcUrl()));
        RecordingListener sameSchema = new RecordingListener();
        PostgresNotifications peer = notifications(CredentialDatabase.of(direct(other)), direct(SERVER.jdbcUrl()));
        peer.subscribe(TOPIC, sameSchema);
        sender.start();
        peer.start();
        Patience.until(() -> sender.isListening() && peer.isListening());

        sender.publish(TOPIC, "of-the-other");
        Patience.until(() -> sameSchema.texts.contains("of-the-other"));
        started().publish(TOPIC, "of-this");
        Patience.until(() -> listener.texts.contains("of-this"));

        assertThat(listener.texts).containsExactly("of-this");
        assertThat(sameSchema.texts).containsExactly("of-the-other");
    }

    @Test
    void publishWhenManyAtOnceThenFewNotifications() {
        RecordedStatements statements = new RecordedStatements(SERVER.dataSource());
        PostgresNotifications receiver = started();
        receiver.subscribe(TOPIC, listener);
        PostgresNotifications sender = notifications(CredentialDatabase.of(statements), direct(SERVER.jdbcUrl()));
        List<String> texts = IntStream.range(0, 200).mapToObj(i -> "k" + i).toList();
        texts.forEach(text -> sender.publish(TOPIC, text));

        sender.start();
        Patience.until(() -> sender.isListening() && listener.texts.size() == texts.size());

        assertThat(listener.texts).containsExactlyElementsOf(texts);
        assertThat(statements.statements())
                .as("one with all texts, and one to itself")
                .filteredOn(NotificationChannel.NOTIFY::equals)
                .hasSize(2);
    }

    @Test
    void addWhenOneWasJustSentThenWaitsForThePause() {
        RecordedStatements statements = new RecordedStatements(SERVER.dataSource());
        AtomicLong nanos = new AtomicLong();
        NotificationSender sender = new NotificationSender(
                "sender", new NotificationChannel(CredentialDatabase.of(statements)), nanos::get, Patience.LIMIT);
        started().subscribe(TOPIC, listener);
        sender.start();
        sender.add(Message.of(TOPIC, "first"));
        Patience.until(() -> listener.texts.contains("first"));

        IntStream.range(0, 100).forEach(i -> sender.add(Message.of(TOPIC, "k" + i)));
        Patience.until(() -> {
            nanos.addAndGet(NotificationSender.PAUSE.toNanos());
            return listener.texts.size() == 101;
        });

        sender.stop();
        assertThat(statements.statements())
                .filteredOn(NotificationChannel.NOTIFY::equals)
                .hasSize(2);
    }

    @Test
    void publishWhenMoreThanTheQueueHoldsThenMissed() {
        PostgresNotifications receiver = started();
        receiver.subscribe(TOPIC, listener);
        int atFirst = listener.missed.get();
        PostgresNotifications sender = notifications(SERVER.database(), direct(SERVER.jdbcUrl()));
        IntStream.rangeClosed(0, WaitingMessages.MAX_COUNT).forEach(i -> sender.publish(TOPIC, "k" + i));

        sender.start();

        Patience.until(() -> listener.missed.get() == atFirst + 1);
        assertThat(listener.texts).isEmpty();
    }

    @Test
    void closeThenSendsWhatWaitsAndEndsThreads() {
        PostgresNotifications receiver = started();
        receiver.subscribe(TOPIC, listener);
        PostgresNotifications sender = started();

        sender.publish(TOPIC, "first");
        sender.publish(TOPIC, "last");
        sender.close();

        Patience.until(() -> listener.texts.contains("last"));
        assertThat(sender.isListening()).isFalse();
        receiver.close();
        LiveThreads.awaitNone("credential-notification");
        receiver.start();
        Patience.until(receiver::isListening);
    }

    @Test
    void isListeningWhenConnectionBreaksThenFalseUntilNext() throws Exception {
        try (CapturedLog log = CapturedLog.of(NotificationReceiver.class);
                StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            PostgresNotifications node = notifications(SERVER.database(), direct(proxy.jdbcUrl()));
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
                    notifications(SERVER.database(), direct(proxy.jdbcUrl()), System::nanoTime, checking);
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
        PostgresNotifications node = withClock(nanos, direct(SERVER.jdbcUrl()));
        node.start();
        Patience.until(node::isListening);
        PostgresNotifications other = started();

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
        PostgresNotifications node = notifications(slow, direct(SERVER.jdbcUrl()), nanos::get);
        node.subscribe(TOPIC, listener);
        PostgresNotifications other = started();
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
            node.set(notifications(SERVER.database(), new DelegatingDataSource(direct(proxy.jdbcUrl())) {
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
            notifications(SERVER.database(), counted).start();

            Patience.until(() -> attempts.get() >= 3);

            assertThat(log.lines(Level.WARN)).hasSize(1);
        }
    }

    @Test
    void startWhenServerIsUnreachableThenListensLater() throws Exception {
        try (CapturedLog log = CapturedLog.of(NotificationReceiver.class);
                StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            proxy.refuse();
            PostgresNotifications node = notifications(SERVER.database(), direct(proxy.jdbcUrl()));
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
            PostgresNotifications node = withClock(nanos, new DelegatingDataSource(direct(another.jdbcUrl())) {
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
            PostgresNotifications node = withClock(nanos, new DelegatingDataSource(direct(proxy.jdbcUrl())) {
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
    void publishWhenDatabaseIsUnreachableThenSentLater() throws Exception {
        PostgresNotifications receiver = started();
        receiver.subscribe(TOPIC, listener);
        try (CapturedLog log = CapturedLog.of(NotificationSender.class);
                StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl());
                HikariDataSource pool = pool(proxy.jdbcUrl())) {
            PostgresNotifications sender = notifications(CredentialDatabase.of(pool), direct(SERVER.jdbcUrl()));
            sender.start();
            Patience.until(sender::isListening);

            proxy.refuse();
            sender.publish(TOPIC, "text");
            Patience.until(() -> !log.lines(Level.WARN).isEmpty());
            proxy.resume();

            Patience.until(() -> listener.texts.contains("text"));
            assertThat(log.lines(Level.WARN)).hasSize(1);
            sender.close();
        }
    }

    @Test
    void publishWhenTheDataSourceFailsThenSentLater() {
        AtomicBoolean broken = new AtomicBoolean();
        DataSource failing = new DelegatingDataSource(SERVER.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                if (broken.getAndSet(false)) {
                    throw new IllegalStateException("The data source of the application is broken");
                }
                return super.getConnection();
            }
        };
        PostgresNotifications receiver = started();
        receiver.subscribe(TOPIC, listener);
        PostgresNotifications sender = notifications(CredentialDatabase.of(failing), direct(SERVER.jdbcUrl()));
        sender.start();
        Patience.until(sender::isListening); // its proof uses the same data source
        broken.set(true);

        sender.publish(TOPIC, "text");

        Patience.until(() -> listener.texts.contains("text"));
        assertThat(broken).isFalse();
    }

    @Test
    void closeWhenConnectionIsPooledThenGivenBack() throws SQLException {
        try (HikariDataSource pool = pool(SERVER.jdbcUrl())) {
            PostgresNotifications node = notifications(CredentialDatabase.of(pool), pool);
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

    @Test
    void receivedWhenPayloadIsForeignThenStillListens() {
        PostgresNotifications sender = started();
        PostgresNotifications receiver = started();
        receiver.subscribe(TOPIC, listener);
        for (String foreign : List.of("", "\n", "\n\n \n", "node", "node\nkeys \nother text\n")) {
            SERVER.database()
                    .jdbc()
                    .sql(NotificationChannel.NOTIFY)
                    .param(new NotificationChannel(SERVER.database()).name())
                    .param(foreign)
                    .query((row, number) -> 1)
                    .single();
        }

        sender.publish(TOPIC, "text");

        Patience.until(() -> listener.texts.contains("text"));
        assertThat(listener.texts).containsExactly("text");
        assertThat(receiver.isListening()).isTrue();
    }

    @Test
    void constructorWhenDatabaseIsSqliteThenRefused() {
        try (TestDatabase file = TestDatabase.create(DatabaseKind.SQLITE)) {
            CredentialDatabase sqlite = file.database();
            DataSource connections = file.dataSource();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> notifications(sqlite, connections))
                    .withMessageContaining("SQLITE");
        }
    }

    @Test
    void noneThenSilent() {
        NodeNotifications none = NodeNotifications.none();
        none.subscribe(TOPIC, listener).close();
        none.publish(TOPIC, "text");

        assertThat(none.isListening()).isFalse();
        assertThat(listener.texts).isEmpty();
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
        PostgresNotifications node = notifications(SERVER.database(), manual);

        node.start();

        Patience.until(node::isListening);
    }

    private PostgresNotifications started() {
        PostgresNotifications node = notifications(SERVER.database(), direct(SERVER.jdbcUrl()));
        node.start();
        Patience.until(node::isListening);
        return node;
    }

    private PostgresNotifications withClock(AtomicLong nanos, DataSource connections) {
        return notifications(SERVER.database(), connections, nanos::get);
    }

    private PostgresNotifications notifications(CredentialDatabase database, DataSource connections) {
        return notifications(database, connections, System::nanoTime);
    }

    private PostgresNotifications notifications(
            CredentialDatabase database, DataSource connections, LongSupplier nanoTime) {
        return notifications(database, connections, nanoTime, TIMING);
    }

    private PostgresNotifications notifications(
            CredentialDatabase database, DataSource connections, LongSupplier nanoTime, NotificationTiming timing) {
        PostgresNotifications node =
                new PostgresNotifications(database, connections, nanoTime, new SecureRandom(), timing);
        opened.add(node);
        return node;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static DataSource direct(String jdbcUrl) {
        return new DriverManagerDataSource(jdbcUrl);
    }

    private static HikariDataSource pool(String jdbcUrl) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(4);
        pool.setConnectionTimeout(1000);
        return pool;
    }

    private static final class FailingListener implements NotificationListener {

        @Override
        public void received(String text) {
            throw new IllegalStateException("The listener fails");
        }

        @Override
        public void missed() {
            throw new IllegalStateException("The listener fails");
        }
    }
}
