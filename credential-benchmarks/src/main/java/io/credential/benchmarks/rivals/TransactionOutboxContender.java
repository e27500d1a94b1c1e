package io.credential.benchmarks.rivals;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

import org.springframework.jdbc.core.simple.JdbcClient;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;

import io.credential.internal.concurrent.OwnedSchedule;

/**
 * transaction-outbox of gruelbox, version 4, as its documentation advises. Version 7 takes the same steps for each event: it
 * locks the event, makes the call and deletes the event, in one transaction. Settings:
 *
 * <ul>
 *   <li>{@code TransactionManager.fromDataSource}, for both the caller's transactions and its own.
 *   <li>An executor with a bounded queue that "can afford to be quite large", and that throws when it is full, "since this
 *       allows the database to absorb all backpressure". The queue holds all events of a turn: those that do not fit
 *       would wait for the next flush.
 *   <li>As many threads as webhooks are in flight, and as many connections more: each call is made in a transaction that
 *       holds the lock of its event.
 *   <li>A background thread that flushes until nothing is left, then pauses for a minute.
 *   <li>{@code Dialect.POSTGRESQL_9}, which uses {@code SKIP LOCKED}.
 * </ul>
 *
 * It deletes events that were sent and waits for the disk when it does.
 */
final class TransactionOutboxContender implements Contender {

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration FLUSH_PAUSE = Duration.ofMinutes(1);
    private static final int QUEUED = 100_000;

    private final JdbcClient jdbc;
    private final ThreadLocalContextTransactionManager transactions;
    private final PausableExecutor executor;
    private final TransactionOutbox outbox;
    private final OwnedSchedule flushes;

    TransactionOutboxContender(Setup setup) {
        this.jdbc = JdbcClient.create(setup.pool());
        this.transactions = TransactionManager.fromDataSource(setup.pool());
        jdbc.sql(Orders.TABLE).update();
        this.executor = new PausableExecutor(setup.inFlight(), QUEUED);
        SignedPosts posts = new SignedPosts(setup.url(), setup.transport());
        this.outbox = TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> posts))
                .submitter(Submitter.withExecutor(executor))
                .build();
        this.flushes = new OwnedSchedule("rivals-flush", GRACE, this::flush);
        flushes.start(FLUSH_PAUSE, FLUSH_PAUSE);
    }

    private void flush() {
        boolean more = true;
        while (more) {
            more = outbox.flush();
        }
    }

    @Override
    public String name() {
        return "transaction-outbox";
    }

    @Override
    public void publish(int events) {
        try {
            transactions.inTransactionThrows(transaction -> {
                insertOrder(transaction.connection());
                for (int i = 0; i < events; i++) {
                    outbox.schedule(Webhooks.class).send(UUID.randomUUID().toString(), Orders.BODY);
                }
            });
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void insertOrder(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into orders (item) values (?)")) {
            insert.setString(1, Orders.ITEM);
            insert.executeUpdate();
        }
    }

    @Override
    public boolean settled() {
        return jdbc.sql("select 1 from txno_outbox limit 1")
                .query(Integer.class)
                .list()
                .isEmpty();
    }

    @Override
    public void resume() {
        executor.resume();
    }

    /** Events that are published during the pause wait in the queue of the executor, so that none waits for a flush. */
    @Override
    public void pause() {
        executor.pause();
    }

    @Override
    public void close() {
        flushes.stop();
        executor.shutdownNow();
    }
}
