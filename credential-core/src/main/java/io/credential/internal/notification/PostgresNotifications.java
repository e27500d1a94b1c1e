package io.credential.internal.notification;

import java.security.SecureRandom;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;

/**
 * Notifications over LISTEN and NOTIFY of PostgreSQL. One thread listens on one connection, which it opens again after it
 * breaks. Another thread sends messages on pooled connections. Failures are logged once and never reach a caller. There
 * are no threads before {@link #start()}. Thread-safe.
 */
public final class PostgresNotifications implements NodeNotifications, AutoCloseable {

    private static final int NODE_BYTES = 8;

    private final Subscriptions subscriptions = new Subscriptions();
    private final NotificationSender sender;
    private final NotificationReceiver receiver;

    /**
     * @param database a PostgreSQL database, over which messages are sent
     * @param listening gives connections to the same database; one is held as long as this instance runs, so preferably
     *     not a pool
     * @param nanoTime a monotonic clock, {@code System::nanoTime}
     * @param random the source of a name for this node, and of jitter
     * @throws IllegalArgumentException if the database is not PostgreSQL
     */
    public PostgresNotifications(
            CredentialDatabase database, DataSource listening, LongSupplier nanoTime, SecureRandom random) {
        this(database, listening, nanoTime, random, NotificationTiming.DEFAULT);
    }

    PostgresNotifications(
            CredentialDatabase database,
            DataSource listening,
            LongSupplier nanoTime,
            SecureRandom random,
            NotificationTiming timing) {
        if (database.dialect() != SqlDialect.POSTGRESQL) {
            throw new IllegalArgumentException(
                    "Only PostgreSQL passes notifications between nodes, not " + database.dialect());
        }
        String node = new RandomHex(random).next(NODE_BYTES);
        NotificationChannel channel = new NotificationChannel(database);
        this.sender = new NotificationSender(node, channel, nanoTime, timing.stopDeadline());
        this.receiver = new NotificationReceiver(node, channel, listening, subscriptions, timing, nanoTime, random);
    }

    /** Starts to send and to listen, in the background; does nothing if it runs. */
    public void start() {
        sender.start();
        receiver.start();
    }

    @Override
    public void publish(String topic, String text) {
        sender.add(Message.of(topic, text));
    }

    @Override
    public Subscription subscribe(String topic, NotificationListener listener) {
        return subscriptions.add(Message.requireTopic(topic), listener);
    }

    @Override
    public boolean isListening() {
        return receiver.isListening();
    }

    /** Returns how many messages wait to be sent. */
    public int waiting() {
        return sender.waiting();
    }

    /** Sends what is waiting, for at most two seconds, and ends the threads and the connection. It can be started again. */
    @Override
    public void close() {
        sender.stop();
        receiver.stop();
    }
}
