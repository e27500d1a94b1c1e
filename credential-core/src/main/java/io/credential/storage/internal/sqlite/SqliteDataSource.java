package io.credential.storage.internal.sqlite;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;

import org.springframework.jdbc.datasource.AbstractDataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Connections to a local SQLite file, with transactions that are atomic under contention and writers that take turns.
 * Every commit is on disk when it returns. Thread-safe.
 *
 * <p>One writer at a time: a thread inside a write transaction that begins a second one on another connection ({@code
 * REQUIRES_NEW}) fails immediately.
 */
public final class SqliteDataSource extends AbstractDataSource {

    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration BUSY_PAUSE = Duration.ofMillis(10);

    /** Readers run in parallel with the writer; with fewer connections, they would queue behind waiting writers. */
    private static final int POOL_SIZE = 32;

    private static final int IDLE_CONNECTIONS = 2;

    private final String url;
    private final String file;
    private final Properties settings;
    private final Duration busyTimeout;
    private final WriteGate gate;

    /**
     * @param busyTimeout how long a writer waits for its turn, and for another process
     */
    SqliteDataSource(Path file, Duration busyTimeout) {
        this.file = SqliteFile.create(file).toString();
        this.url = "jdbc:sqlite:" + this.file;
        this.settings = settings(busyTimeout);
        this.busyTimeout = busyTimeout;
        this.gate = new WriteGate(busyTimeout);
    }

    /**
     * Opens a pool of connections to the file, and creates what is missing: directories with mode 700, the file with
     * mode 600.
     *
     * @param file the path of the database; a relative path starts at the working directory
     * @return the pool, for the caller to close
     * @throws IllegalArgumentException if the path contains a question mark
     * @throws UncheckedIOException if the file is missing and cannot be created
     */
    public static HikariDataSource pooled(Path file) {
        SqliteDataSource connections = new SqliteDataSource(file, BUSY_TIMEOUT);
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("credential-sqlite");
        pool.setDataSource(connections);
        pool.setMaximumPoolSize(POOL_SIZE);
        pool.setMinimumIdle(IDLE_CONNECTIONS);
        pool.setConnectionTimeout(BUSY_TIMEOUT.toMillis());
        return new HikariDataSource(pool);
    }

    /** Does nothing: SQLite has no login, but connection pools set this timeout. */
    @Override
    public void setLoginTimeout(int seconds) {}

    /** Returns how long HikariCP, when it closes, waits for a connection that is still being opened; in seconds. */
    @Override
    public int getLoginTimeout() {
        return Math.toIntExact(BUSY_TIMEOUT.toSeconds());
    }

    @Override
    public Connection getConnection() throws SQLException {
        long start = System.nanoTime();
        while (true) {
            try {
                return new SqliteConnection(url, file, settings, gate);
            } catch (SQLiteException e) {
                // SQLite does not wait, but fails, while another process switches a new file to write-ahead logging.
                if (e.getResultCode() != SQLiteErrorCode.SQLITE_BUSY
                        || System.nanoTime() - start > busyTimeout.toNanos()) {
                    throw e;
                }
                LockSupport.parkNanos(BUSY_PAUSE.toNanos());
            }
        }
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("A SQLite file has no users");
    }

    @Override
    public String toString() {
        return "SqliteDataSource[" + file + "]";
    }

    private static Properties settings(Duration busyTimeout) {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        config.setBusyTimeout((int) busyTimeout.toMillis());
        return config.toProperties();
    }
}
