package io.credential.storage.internal.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Properties;

import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteCommitListener;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * A connection whose transactions are atomic under contention, which those of the driver are not: there, a BEGIN that
 * fails leaves the connection in auto-commit mode, a commit starts the next transaction immediately, and a commit
 * that fails leaves the transaction open.
 *
 * <p>A transaction takes the write lock when it begins, behind the {@link WriteGate}; a read-only one takes no lock.
 * Statements that write in auto-commit mode pass the gate too; a query that writes ({@code RETURNING}) does so only
 * inside a transaction. Used by one thread at a time.
 */
final class SqliteConnection extends JDBC4Connection {

    /** X/Open: the transaction was rolled back. */
    private static final String ROLLED_BACK = "40000";

    private final WriteGate gate;
    private final SqliteStatementCache idleStatements = new SqliteStatementCache();
    private boolean readOnly;
    private boolean begun;
    private boolean insideGate;
    private boolean rolledBackBySqlite;

    SqliteConnection(String url, String file, Properties settings, WriteGate gate) throws SQLException {
        super(url, file, settings);
        this.gate = gate;
        // SQLite ends a transaction by itself when the disk is full or a statement is interrupted. Statements that
        // follow must not be committed one by one.
        addCommitListener(new SQLiteCommitListener() {
            @Override
            public void onCommit() {
                // as requested
            }

            @Override
            public void onRollback() {
                rolledBackBySqlite = true;
            }
        });
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
    }

    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        if (readOnly == this.readOnly) {
            return;
        }
        if (begun) {
            throw new SQLException("setReadOnly cannot be called inside a transaction; commit or roll back first");
        }
        getDatabase().exec(readOnly ? "pragma query_only = true" : "pragma query_only = false", getAutoCommit());
        this.readOnly = readOnly;
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        if (autoCommit == getAutoCommit()) {
            return;
        }
        if (autoCommit) {
            try {
                commit();
            } finally {
                getConnectionConfig().setAutoCommit(true);
            }
        } else {
            begin();
            getConnectionConfig().setAutoCommit(false);
        }
    }

    /** The driver calls this before it executes a statement. */
    @Override
    public void tryEnforceTransactionMode() throws SQLException {
        if (getAutoCommit()) {
            return;
        }
        if (!begun) {
            begin();
        } else if (rolledBackBySqlite) {
            throw lostTransaction();
        }
    }

    /** The next transaction begins with the next statement, so that an idle connection holds no lock. */
    @Override
    public void commit() throws SQLException {
        requireTransactions();
        if (!begun) {
            return;
        }
        try {
            if (rolledBackBySqlite) {
                throw lostTransaction();
            }
            getDatabase().exec("commit", false);
        } catch (SQLException e) {
            undo(e);
            throw e;
        } finally {
            end();
        }
    }

    @Override
    public void rollback() throws SQLException {
        requireTransactions();
        if (!begun) {
            return;
        }
        try {
            if (!rolledBackBySqlite) {
                getDatabase().exec("rollback", false);
            }
        } catch (SQLException e) {
            abandon(e);
            throw e;
        } finally {
            end();
        }
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        requireTransactions();
        tryEnforceTransactionMode();
        return super.setSavepoint();
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        requireTransactions();
        tryEnforceTransactionMode();
        return super.setSavepoint(name);
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        checkOpen();
        checkCursor(type, concurrency, holdability);
        return new SqliteStatement(this);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        checkOpen();
        checkCursor(type, concurrency, holdability);
        SqlitePreparedStatement idle = idleStatements.take(sql);
        return idle == null ? new SqlitePreparedStatement(this, sql) : idle;
    }

    @Override
    public void close() throws SQLException {
        try {
            idleStatements.clear();
            super.close();
        } finally {
            end();
        }
    }

    /** Runs a write: in the transaction if there is one, or else in auto-commit mode behind the gate. */
    <T> T write(Write<T> write) throws SQLException {
        tryEnforceTransactionMode();
        if (begun || readOnly) {
            return write.run();
        }
        gate.enter();
        try {
            return write.run();
        } finally {
            gate.leave();
        }
    }

    /** Keeps a statement for later use; returns one to be closed instead, if any. */
    @Nullable SqlitePreparedStatement keep(SqlitePreparedStatement statement) {
        return idleStatements.put(statement);
    }

    private void begin() throws SQLException {
        checkOpen();
        if (!readOnly) {
            gate.enter();
            insideGate = true;
        }
        try {
            getDatabase().exec(readOnly ? "begin" : "begin immediate", false);
            begun = true;
            rolledBackBySqlite = false;
        } finally {
            if (!begun) {
                end();
            }
        }
    }

    private void end() {
        begun = false;
        if (insideGate) {
            insideGate = false;
            gate.leave();
        }
    }

    /** Ends a transaction that could not be committed: the pool must not commit it later. */
    private void undo(SQLException cause) {
        if (rolledBackBySqlite) {
            return;
        }
        try {
            getDatabase().exec("rollback", false);
        } catch (SQLException e) {
            cause.addSuppressed(e);
            abandon(cause);
        }
    }

    /** Gives up a connection whose transaction can be neither committed nor rolled back: closing it frees its lock. */
    private void abandon(SQLException cause) {
        try {
            idleStatements.clear();
            super.close();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private void requireTransactions() throws SQLException {
        if (getAutoCommit()) {
            throw new SQLException("The connection is in auto-commit mode");
        }
    }

    private static SQLException lostTransaction() {
        return new SQLNonTransientException(
                "SQLite has rolled this transaction back after an earlier error; nothing was stored; roll back and repeat it",
                ROLLED_BACK);
    }

    /** A statement about to write. */
    @FunctionalInterface
    interface Write<T> {
        T run() throws SQLException;
    }
}
