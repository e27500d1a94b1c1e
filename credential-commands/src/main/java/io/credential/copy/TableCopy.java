package io.credential.copy;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

import io.credential.storage.internal.CredentialDatabase;

/** Copies the rows of a table as they are, in batches of limited size. */
final class TableCopy {

    private static final int BATCH_ROWS = 1000;
    private static final int BATCH_BYTES = 4 * 1024 * 1024;

    private static final String COLUMNS = "SELECT * FROM {table} WHERE 1 = 0";
    private static final String COUNT = "SELECT count(*) FROM {table}";
    private static final String READ = "SELECT {columns} FROM {table}";
    private static final String WRITE = "INSERT INTO {table} ({columns}) VALUES ({parameters})";

    /** The plans of the first statements must not be those for empty tables. */
    private static final String ANALYZE = "ANALYZE {table}";

    private final CredentialDatabase source;
    private final CredentialDatabase target;
    private final CopyProgress progress;

    TableCopy(CredentialDatabase source, CredentialDatabase target, CopyProgress progress) {
        this.source = source;
        this.target = target;
        this.progress = progress;
    }

    /**
     * Copies a table in the transaction of this thread.
     *
     * @return the number of rows, which both tables have
     * @throws CopyException if the columns differ, a value has another type than its column, or a row cannot be written
     */
    long copy(String table) {
        Map<String, Integer> columns = columns(target, table);
        if (!columns.keySet().equals(columns(source, table).keySet())) {
            throw new CopyException("The columns of " + table + " differ: the file has "
                    + columns(source, table).keySet() + ", the target " + columns.keySet()
                    + ". Undo what was changed by hand.");
        }
        Batches batches = new Batches(table, columns, count(source, table));
        source.jdbc()
                .sql(in(READ, table).replace("{columns}", String.join(", ", columns.keySet())))
                .query(batches::add);
        batches.finish();
        long written = count(target, table);
        if (written != batches.total) {
            throw new CopyException("The table " + table + " has " + batches.total + " rows in the file, but " + written
                    + " in the target.");
        }
        var unused = target.jdbc().sql(in(ANALYZE, table)).update();
        return written;
    }

    private static Map<String, Integer> columns(CredentialDatabase database, String table) {
        return database.jdbc().sql(in(COLUMNS, table)).query((ResultSet rows) -> {
            ResultSetMetaData row = rows.getMetaData();
            Map<String, Integer> columns = new LinkedHashMap<>();
            for (int column = 1; column <= row.getColumnCount(); column++) {
                columns.put(row.getColumnName(column).toLowerCase(Locale.ROOT), row.getColumnType(column));
            }
            return columns;
        });
    }

    private static long count(CredentialDatabase database, String table) {
        return database.jdbc().sql(in(COUNT, table)).query(Long.class).single();
    }

    private static String in(String sql, String table) {
        return sql.replace("{table}", table);
    }

    /** Collects rows and writes them. */
    private final class Batches {

        private final String table;
        private final Map<String, Integer> columns;
        private final long total;
        private final String write;
        private final List<SqlParameterSource> batch = new ArrayList<>();
        private long bytes;
        private long done;

        Batches(String table, Map<String, Integer> columns, long total) {
            this.table = table;
            this.columns = columns;
            this.total = total;
            this.write = in(WRITE, table)
                    .replace("{columns}", String.join(", ", columns.keySet()))
                    .replace(
                            "{parameters}",
                            columns.keySet().stream().map(name -> ":" + name).collect(Collectors.joining(", ")));
        }

        void add(ResultSet row) throws SQLException {
            MapSqlParameterSource parameters = new MapSqlParameterSource();
            int index = 0;
            for (Map.Entry<String, Integer> column : columns.entrySet()) {
                Object value = row.getObject(++index);
                requireType(column.getKey(), column.getValue(), value);
                parameters.addValue(column.getKey(), value, column.getValue());
                bytes += size(value);
            }
            batch.add(parameters);
            if (batch.size() == BATCH_ROWS || bytes >= BATCH_BYTES) {
                flush();
            }
        }

        /** Writes what remains. */
        void finish() {
            if (!batch.isEmpty() || total == 0) {
                flush();
            }
        }

        private void flush() {
            try {
                var unused = target.batchUpdate(write, batch);
            } catch (DataAccessException e) {
                throw new CopyException(
                        "The table " + table + " of the target cannot be written: " + CopyException.reason(e) + ".", e);
            }
            done += batch.size();
            batch.clear();
            bytes = 0;
            progress.copied(table, done, total);
        }

        /** SQLite stores in any column a value of any type. */
        private void requireType(String column, int type, @Nullable Object value) {
            boolean fits = value == null
                    || switch (type) {
                        case Types.VARCHAR -> value instanceof String;
                        case Types.BIGINT -> value instanceof Long || value instanceof Integer;
                        case Types.INTEGER -> value instanceof Integer;
                        case Types.BINARY -> value instanceof byte[];
                        default -> false;
                    };
            if (!fits) {
                throw new CopyException("The table " + table + " of the file has a value of the wrong type in column "
                        + column + ", in row " + (done + batch.size() + 1)
                        + ". Something other than the application wrote it; correct or delete that row.");
            }
        }

        private static long size(@Nullable Object value) {
            if (value instanceof byte[] binary) {
                return binary.length;
            }
            return value instanceof String text ? text.length() : Long.BYTES;
        }
    }
}
