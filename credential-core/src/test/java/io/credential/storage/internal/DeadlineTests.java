package io.credential.storage.internal;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whoever uses a connection next is not hit by what was meant for the one before. */
class DeadlineTests {

    private static final Duration SHORT = Duration.ofMillis(1);

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Thread> closing = new AtomicReference<>();

    @Test
    void startWhenStatementIsLateThenCancelled() throws SQLException {
        try (TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);
                Connection connection = DriverManager.getConnection(test.jdbcUrl());
                Statement statement = connection.createStatement()) {
            FutureTask<Boolean> late = new FutureTask<>(() -> statement.execute("SELECT pg_sleep(600)"));
            new Thread(late, "late").start();
            Patience.until(() -> test.database()
                            .jdbc()
                            .sql(
                                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'")
                            .query(Integer.class)
                            .single()
                    == 1);
            Deadline deadline = Deadline.start(connection, SHORT, Patience.LIMIT, System::nanoTime);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> Patience.get(late))
                    .havingCause()
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
            deadline.close();

            assertThat(statement.execute("SELECT 1")).isTrue();
        }
    }

    @Test
    void closeWhenBeingCancelledThenWaitsForIt() {
        Deadline deadline = Deadline.start(
                connection(() -> {
                    events.add("cancelling");
                    Patience.until(() -> waitsOrHasEnded(closing.get()));
                    events.add("cancelled");
                }),
                SHORT,
                Patience.LIMIT,
                System::nanoTime);
        awaitEvent("cancelling");
        closeElsewhere(deadline);

        assertThat(events).containsExactly("cancelling", "cancelled", "closed");
    }

    @Test
    void closeWhenTheCancellationHangsThenAborts() {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicLong nanos = new AtomicLong();
        Deadline deadline = Deadline.start(
                connection(() -> {
                    events.add("cancelling");
                    Patience.await(ended);
                }),
                SHORT,
                SHORT,
                nanos::get);
        nanos.set(SHORT.toNanos()); // late, but still within the grace period
        awaitEvent("cancelling");

        deadline.close();

        assertThat(events).containsExactly("cancelling", "aborted");
        ended.countDown();
    }

    @Test
    void closeWhenInterruptedDuringCancellationThenAborts() {
        CountDownLatch ended = new CountDownLatch(1);
        Deadline deadline = Deadline.start(
                connection(() -> {
                    events.add("cancelling");
                    Patience.await(ended);
                }),
                SHORT,
                Patience.LIMIT,
                System::nanoTime);
        awaitEvent("cancelling");

        Thread.currentThread().interrupt();
        deadline.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(events).containsExactly("cancelling", "aborted");
        ended.countDown();
    }

    @Test
    void startWhenStatementCannotBeCancelledThenAborted() {
        Connection withoutDriver = proxy(Connection.class, method -> {
            events.add(method);
            if (method.equals("unwrap")) {
                throw new SQLException("not PostgreSQL's driver");
            }
            return null;
        });
        AtomicLong nanos = new AtomicLong();
        Deadline deadline = Deadline.start(withoutDriver, SHORT, SHORT, nanos::get);
        nanos.set(SHORT.toNanos());
        awaitEvent("unwrap");

        nanos.addAndGet(SHORT.toNanos());
        awaitEvent("abort");

        assertThat(events).containsExactly("unwrap", "abort");
        deadline.close();
    }

    /** Over TLS, closing waits for a thread that writes. */
    @Test
    void abortWhenItHangsThenOthersAreStillAborted() {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicLong nanos = new AtomicLong();
        Deadline hanging = Deadline.start(
                proxy(Connection.class, method -> {
                    if (method.equals("abort")) {
                        events.add("hanging");
                        Patience.await(ended);
                    }
                    return null;
                }),
                SHORT,
                SHORT,
                nanos::get);
        hanging.beginCommit(); // is not cancelled
        nanos.set(Duration.ofMinutes(1).toNanos());
        awaitEvent("hanging");
        Deadline other = Deadline.start(connection(() -> {}), SHORT, SHORT, nanos::get);
        other.beginCommit();

        nanos.addAndGet(Duration.ofMinutes(1).toNanos());

        awaitEvent("aborted");
        ended.countDown();
        hanging.close();
        other.close();
    }

    @Test
    void closeWhenBeingAbortedThenWaitsForIt() {
        AtomicLong nanos = new AtomicLong();
        Deadline deadline = Deadline.start(
                proxy(Connection.class, method -> {
                    if (method.equals("abort")) {
                        events.add("aborting");
                        Patience.until(() -> waitsOrHasEnded(closing.get()));
                        events.add("aborted");
                    }
                    return null;
                }),
                SHORT,
                Patience.LIMIT,
                nanos::get);
        deadline.beginCommit();
        nanos.set(Patience.LIMIT.multipliedBy(2).toNanos());
        awaitEvent("aborting");
        closeElsewhere(deadline);

        assertThat(events).containsExactly("aborting", "aborted", "closed");
    }

    /** Cancelled, a commit that waits for a synchronous replica succeeds without it. */
    @Test
    void beginCommitThenAbortedButNotCancelled() {
        AtomicLong nanos = new AtomicLong();
        Deadline deadline = Deadline.start(connection(() -> events.add("cancelled")), SHORT, nanos::get);
        deadline.beginCommit();

        nanos.set(Duration.ofMinutes(1).toNanos());
        awaitEvent("aborted");

        assertThat(events).containsExactly("aborted");
        deadline.close();
    }

    private void awaitEvent(String event) {
        Patience.until(() -> {
            Deadline.lookNow();
            return events.contains(event);
        });
    }

    private void closeElsewhere(Deadline deadline) {
        Thread closer = new Thread(
                () -> {
                    deadline.close();
                    events.add("closed");
                },
                "close");
        closing.set(closer);
        closer.start();
        awaitEvent("closed");
    }

    private static boolean waitsOrHasEnded(@Nullable Thread thread) {
        return thread != null
                && (thread.getState() == Thread.State.TIMED_WAITING || thread.getState() == Thread.State.TERMINATED);
    }

    /** Cannot be had from a server: one that answers a cancellation when the test wants it. */
    private Connection connection(Runnable cancel) {
        PGConnection postgres = proxy(PGConnection.class, method -> {
            cancel.run();
            return null;
        });
        return proxy(Connection.class, method -> {
            if (method.equals("unwrap")) {
                return postgres;
            }
            events.add(method.equals("abort") ? "aborted" : method);
            return null;
        });
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> call.of(method.getName())));
    }

    private interface Call {
        @Nullable Object of(String method) throws SQLException;
    }
}
