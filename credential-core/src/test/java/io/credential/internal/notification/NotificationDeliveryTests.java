package io.credential.internal.notification;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

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

import static io.credential.internal.notification.NotificationNodes.TOPIC;
import static io.credential.internal.notification.NotificationNodes.direct;
import static io.credential.internal.notification.NotificationNodes.pool;
import static org.assertj.core.api.Assertions.assertThat;

/** Which notifications reach which nodes, and when they are sent. */
class NotificationDeliveryTests {

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @AutoClose
    private final NotificationNodes nodes = new NotificationNodes(SERVER);

    private final RecordingListener listener = new RecordingListener();

    @Test
    void publishThenOtherNodesReceiveAndNotTheSender() {
        PostgresNotifications sender = nodes.started();
        PostgresNotifications receiver = nodes.started();
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
        PostgresNotifications sender = nodes.started();
        PostgresNotifications receiver = nodes.started();
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
        PostgresNotifications receiver = nodes.started();
        receiver.subscribe(TOPIC, listener);
        String other = SERVER.jdbcUrl() + (SERVER.jdbcUrl().contains("?") ? "&" : "?") + "currentSchema=other";
        PostgresNotifications sender =
                nodes.notifications(CredentialDatabase.of(direct(other)), direct(SERVER.jdbcUrl()));
        RecordingListener sameSchema = new RecordingListener();
        PostgresNotifications peer =
                nodes.notifications(CredentialDatabase.of(direct(other)), direct(SERVER.jdbcUrl()));
        peer.subscribe(TOPIC, sameSchema);
        sender.start();
        peer.start();
        Patience.until(() -> sender.isListening() && peer.isListening());

        sender.publish(TOPIC, "of-the-other");
        Patience.until(() -> sameSchema.texts.contains("of-the-other"));
        nodes.started().publish(TOPIC, "of-this");
        Patience.until(() -> listener.texts.contains("of-this"));

        assertThat(listener.texts).containsExactly("of-this");
        assertThat(sameSchema.texts).containsExactly("of-the-other");
    }

    @Test
    void publishWhenManyAtOnceThenFewNotifications() {
        RecordedStatements statements = new RecordedStatements(SERVER.dataSource());
        PostgresNotifications receiver = nodes.started();
        receiver.subscribe(TOPIC, listener);
        PostgresNotifications sender = nodes.notifications(CredentialDatabase.of(statements), direct(SERVER.jdbcUrl()));
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
        nodes.started().subscribe(TOPIC, listener);
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
        PostgresNotifications receiver = nodes.started();
        receiver.subscribe(TOPIC, listener);
        int atFirst = listener.missed.get();
        PostgresNotifications sender = nodes.notifications(SERVER.database(), direct(SERVER.jdbcUrl()));
        IntStream.rangeClosed(0, WaitingMessages.MAX_COUNT).forEach(i -> sender.publish(TOPIC, "k" + i));

        sender.start();

        Patience.until(() -> listener.missed.get() == atFirst + 1);
        assertThat(listener.texts).isEmpty();
    }

    @Test
    void publishWhenDatabaseIsUnreachableThenSentLater() throws Exception {
        PostgresNotifications receiver = nodes.started();
        receiver.subscribe(TOPIC, listener);
        try (CapturedLog log = CapturedLog.of(NotificationSender.class);
                StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl());
                HikariDataSource pool = pool(proxy.jdbcUrl())) {
            PostgresNotifications sender = nodes.notifications(CredentialDatabase.of(pool), direct(SERVER.jdbcUrl()));
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
        PostgresNotifications receiver = nodes.started();
        receiver.subscribe(TOPIC, listener);
        PostgresNotifications sender = nodes.notifications(CredentialDatabase.of(failing), direct(SERVER.jdbcUrl()));
        sender.start();
        Patience.until(sender::isListening); // its proof uses the same data source
        broken.set(true);

        sender.publish(TOPIC, "text");

        Patience.until(() -> listener.texts.contains("text"));
        assertThat(broken).isFalse();
    }

    @Test
    void closeThenSendsWhatWaitsAndEndsThreads() {
        PostgresNotifications receiver = nodes.started();
        receiver.subscribe(TOPIC, listener);
        PostgresNotifications sender = nodes.started();

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
    void receivedWhenPayloadIsForeignThenStillListens() {
        PostgresNotifications sender = nodes.started();
        PostgresNotifications receiver = nodes.started();
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
    void noneThenSilent() {
        NodeNotifications none = NodeNotifications.none();
        none.subscribe(TOPIC, listener).close();
        none.publish(TOPIC, "text");

        assertThat(none.isListening()).isFalse();
        assertThat(listener.texts).isEmpty();
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
