package io.credential.storage.internal.sqlite;

import java.sql.SQLException;

import org.sqlite.jdbc4.JDBC4Statement;

/** A statement that is not prepared; one that may write passes the gate of the connection. */
final class SqliteStatement extends JDBC4Statement {

    private final SqliteConnection connection;

    SqliteStatement(SqliteConnection connection) {
        super(connection);
        this.connection = connection;
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        return SqliteText.mayWrite(sql) ? connection.write(() -> super.execute(sql)) : super.execute(sql);
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        return connection.write(() -> super.executeLargeUpdate(sql));
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        return connection.write(super::executeLargeBatch);
    }
}
