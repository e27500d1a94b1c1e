package io.credential.storage.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;

import io.credential.internal.concurrent.DaemonThreads;

/**
 * The end of the time for which PostgreSQL may keep a thread. Past it, what runs on the connection is cancelled. If the
 * server does not answer that either, the connection is aborted: an unreachable server must not keep a thread, whether it
 * writes or reads. A timer of the driver for each statement would cost more than the fastest statements.
 */
final class Deadline implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Deadline.class);

    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final ThreadFactory ABORTS = DaemonThreads.named("credential-database-abort");

    private static final Watch WATCH = new Watch();

    private final Connection connection;
    private final Duration limit;
    private final Duration grace;
    private final LongSupplier nanoTime;
    private final long start;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final CountDownLatch aborted = new CountDownLatch(1);
    private State state = State.OPEN;
    private boolean late; // used only by the thread that looks

    private Deadline(Connection connection, Duration limit, Duration grace, LongSupplier nanoTime) {
        this.connection = connection;
        this.limit = limit;
        this.grace = grace;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    /**
     * Limits the use of a connection until the deadline is closed by the thread that uses it.
     *
     * @param nanoTime a monotonic clock
     */
    static Deadline start(Connection connection, Duration limit, LongSupplier nanoTime) {
        return start(connection, limit, GRACE, nanoTime);
    }

    /** @param grace how long the server has to answer the cancellation */
    static Deadline start(Connection connection, Duration limit, Duration grace, LongSupplier nanoTime) {
        // A lazy connection would otherwise wait for the pool when it is to be cancelled or aborted.
        Deadline deadline = new Deadline(DataSourceUtils.getTargetConnection(connection), limit, grace, nanoTime);
        WATCH.add(deadline);
        return deadline;
    }

    /** Looks at once for connections that are past their deadline, because the clock has moved. */
    static void lookNow() {
        WATCH.lookNow();
    }

    /**
     * Nothing is cancelled after this, but the connection can be aborted: a commit that waits for a synchronous replica
     * would succeed if it were cancelled, although the replica does not have it.
     */
    void beginCommit() {
        finishWatch(enter(State.COMMITTING));
    }

    /** Nothing is cancelled or aborted after this: the next user of the connection must not be hit. */
    @Override
    public void close() {
        WATCH.remove(this);
        finishWatch(enter(State.CLOSED));
    }

    /** Returns the state before. */
    private synchronized State enter(State to) {
        State before = state;
        state = before == State.ABORTED || before == State.CLOSED ? before : to;
        return before;
    }

    private void finishWatch(State before) {
        if (before == State.CANCELLING && !isSoon(cancelled)) {
            abort();
        } else if (before == State.ABORTED) {
            var unused = isSoon(aborted);
        }
    }

    private boolean isSoon(CountDownLatch done) {
        try {
            return done.await(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether the statement is to be cancelled, once. */
    private boolean markLate() {
        boolean becomes = !late && isPast(limit);
        late |= becomes;
        return becomes;
    }

    private void cancel() {
        if (!tryMove(State.OPEN, State.CANCELLING)) {
            return;
        }
        try {
            connection.unwrap(PGConnection.class).cancelQuery();
        } catch (SQLException e) {
            LOG.debug("A statement could not be cancelled; its connection will be aborted", e);
        } finally {
            cancelled.countDown();
            var unused = tryMove(State.CANCELLING, State.OPEN);
        }
    }

    private synchronized boolean tryMove(State from, State to) {
        boolean moves = state == from;
        state = moves ? to : state;
        return moves;
    }

    /** Aborts on a separate thread: over TLS, closing a connection waits for a thread that writes to it. */
    private void abortIfPast() {
        if (isPast(limit.plus(grace))) {
            ABORTS.newThread(this::abortUnlessClosed).start();
            WATCH.remove(this);
        }
    }

    /** The user of the connection waits in {@link #close} meanwhile, and does not give it back before. */
    private void abortUnlessClosed() {
        if (enter(State.ABORTED) == State.CLOSED) {
            return;
        }
        try {
            LOG.warn("The database did not answer within {} s; the connection is aborted", limit.toSeconds());
            abort();
        } finally {
            aborted.countDown();
        }
    }

    private boolean isPast(Duration time) {
        return nanoTime.getAsLong() - start >= time.toNanos();
    }

    private void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.warn("Could not abort a database connection", e);
        }
    }

    private enum State {
        OPEN,
        CANCELLING,
        COMMITTING,
        ABORTED,
        CLOSED
    }

    /** Looks about once a second for connections that are past their deadline. The threads end when there are none. */
    private static final class Watch {

        private static final int IDLE_SECONDS = 30;

        private final Set<Deadline> deadlines = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean looking = new AtomicBoolean();
        private final ScheduledThreadPoolExecutor looks = executor("credential-database-deadline");

        /** Cancelling connects to the server: while that hangs, connections must still be aborted. */
        private final ScheduledThreadPoolExecutor cancellations = executor("credential-database-cancel");

        void add(Deadline deadline) {
            deadlines.add(deadline);
            try {
                lookLater();
            } catch (RuntimeException | Error e) { // no thread could be created
                remove(deadline);
                throw e;
            }
        }

        void remove(Deadline deadline) {
            deadlines.remove(deadline);
        }

        private void lookLater() {
            if (looking.get() || !looking.compareAndSet(false, true)) {
                return;
            }
            boolean scheduled = false;
            try {
                var unused = looks.schedule(this::look, 1, TimeUnit.SECONDS);
                scheduled = true;
            } finally {
                if (!scheduled) {
                    looking.set(false); // no thread could be created: the next connection tries again
                }
            }
        }

        private void look() {
            looking.set(false);
            if (!deadlines.isEmpty()) {
                lookLater();
            }
            check();
        }

        void lookNow() {
            looks.execute(this::check);
        }

        private void check() {
            for (Deadline deadline : deadlines) {
                deadline.abortIfPast();
                if (deadline.markLate()) {
                    cancellations.execute(deadline::cancel);
                }
            }
        }

        private static ScheduledThreadPoolExecutor executor(String name) {
            ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.named(name));
            executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }
    }
}
