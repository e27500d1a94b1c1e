package io.credential.storage.internal.sqlite;

import java.util.LinkedHashMap;

import org.jspecify.annotations.Nullable;

/** The idle compiled statements of one connection, least recently used first. Not thread-safe. */
final class SqliteStatementCache {

    private static final int CAPACITY = 64;

    private final LinkedHashMap<String, SqlitePreparedStatement> idle = new LinkedHashMap<>();

    /** Takes a statement; nobody else gets it until it is put back. */
    @Nullable SqlitePreparedStatement take(String sql) {
        SqlitePreparedStatement statement = idle.remove(sql);
        if (statement != null) {
            statement.wake();
        }
        return statement;
    }

    /** Puts a statement back; returns one to be closed, if any: one with the same text, or the least recently used. */
    @Nullable SqlitePreparedStatement put(SqlitePreparedStatement statement) {
        SqlitePreparedStatement twin = idle.put(statement.text(), statement);
        if (twin != null || idle.size() <= CAPACITY) {
            return twin;
        }
        var oldest = idle.values().iterator();
        SqlitePreparedStatement evicted = oldest.next();
        oldest.remove();
        return evicted;
    }

    /** Forgets all statements, which are closed with the connection. */
    void clear() {
        idle.clear();
    }
}
