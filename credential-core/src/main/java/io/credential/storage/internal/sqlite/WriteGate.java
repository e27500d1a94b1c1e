package io.credential.storage.internal.sqlite;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Lets one writer at a time into a SQLite file, in order of arrival. SQLite itself makes writers poll, so that one may
 * wait until it gives up. Thread-safe.
 */
final class WriteGate {

    /** X/Open: active SQL transaction. */
    private static final String ACTIVE_TRANSACTION = "25001";

    private static final String SERIALIZATION_FAILURE = "40001";

    private final Semaphore permit = new Semaphore(1, true);
    private final Duration maxWait;
    private volatile @Nullable Thread holder;

    /**
     * @param maxWait how long {@link #enter()} waits
     */
    WriteGate(Duration maxWait) {
        this.maxWait = maxWait;
    }

    /**
     * Waits for its turn.
     *
     * @throws SQLException if the thread is already inside: it would wait for itself
     * @throws SQLTransientException if the wait took too long or was interrupted
     */
    void enter() throws SQLException {
        if (Thread.currentThread().equals(holder)) {
            throw new SQLException(
                    "This thread is already in a SQLite write transaction and cannot write on a second connection: "
                            + "SQLite has one writer at a time. Join the open transaction (REQUIRED in place of "
                            + "REQUIRES_NEW or NOT_SUPPORTED), or write after its end",
                    ACTIVE_TRANSACTION);
        }
        try {
            if (!permit.tryAcquire(maxWait.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new SQLTransientException(
                        "The SQLite write lock was not free within " + maxWait.toMillis() + " ms; held by thread "
                                + nameOf(holder),
                        SERIALIZATION_FAILURE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientException(
                    "Interrupted while waiting for the SQLite write lock", SERIALIZATION_FAILURE, e);
        }
        holder = Thread.currentThread();
    }

    /** Lets the next writer in; any thread may call it for the connection that entered. */
    void leave() {
        holder = null;
        permit.release();
    }

    private static String nameOf(@Nullable Thread thread) {
        return thread == null ? "(none)" : thread.getName();
    }
}
