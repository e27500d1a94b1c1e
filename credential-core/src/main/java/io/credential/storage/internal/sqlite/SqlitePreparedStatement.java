package io.credential.storage.internal.sqlite;

import java.sql.SQLException;

import org.sqlite.core.DB;
import org.sqlite.jdbc4.JDBC4PreparedStatement;

/**
 * A compiled statement that returns to its connection when it is closed, and is reused for the same text: compiling
 * takes as long as a short read. Statements that write pass the gate of the connection.
 */
final class SqlitePreparedStatement extends JDBC4PreparedStatement {

    private final SqliteConnection connection;
    private final String text;
    private final boolean reusable;
    private boolean idle;

    SqlitePreparedStatement(SqliteConnection connection, String sql) throws SQLException {
        super(connection, sql);
        this.connection = connection;
        this.text = sql;
        this.reusable = SqliteText.isReusable(sql);
    }

    String text() {
        return text;
    }

    /** Marks it as in use again. */
    void wake() {
        idle = false;
    }

    /** Closes it permanently. */
    void dispose() throws SQLException {
        idle = false;
        super.close();
    }

    @Override
    public boolean execute() throws SQLException {
        return returnsRows() ? super.execute() : connection.write(super::execute);
    }

    @Override
    public long executeLargeUpdate() throws SQLException {
        return connection.write(super::executeLargeUpdate);
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        return connection.write(super::executeLargeBatch);
    }

    @Override
    public void close() throws SQLException {
        if (idle) {
            return;
        }
        if (!reusable || isSpent()) {
            super.close();
            return;
        }
        forget();
        idle = true;
        SqlitePreparedStatement evicted = connection.keep(this);
        if (evicted != null) {
            evicted.dispose();
        }
    }

    @Override
    public boolean isClosed() {
        return idle || super.isClosed();
    }

    private boolean returnsRows() {
        return columnCount != 0;
    }

    /** Whether it is broken, or has settings that the next user does not expect. */
    private boolean isSpent() throws SQLException {
        return super.isClosed()
                || pointer.isClosed()
                || connection.isClosed()
                || getMaxRows() != 0
                || getQueryTimeout() != 0
                || isCloseOnCompletion();
    }

    /** Drops results, generated keys and every bound value. */
    private void forget() throws SQLException {
        clearGeneratedKeys();
        rs.close();
        pointer.safeRunConsume(DB::reset);
        pointer.safeRunConsume(DB::clear_bindings);
        batch = null;
        batchPos = 0;
        batchQueryCount = 0;
    }
}
