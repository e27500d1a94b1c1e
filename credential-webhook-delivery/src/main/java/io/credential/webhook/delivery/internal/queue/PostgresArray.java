package io.credential.webhook.delivery.internal.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.support.AbstractSqlTypeValue;

/** Passes many values as one parameter, so that a statement has the same text for any number of rows. */
public final class PostgresArray extends AbstractSqlTypeValue {

    private final String type;
    private final @Nullable Object[] values;

    private PostgresArray(String type, @Nullable Object[] values) {
        this.type = type;
        this.values = values;
    }

    public static <T> PostgresArray of(String type, List<T> rows, Function<T, @Nullable Object> value) {
        return fill(type, new Object[rows.size()], rows, value);
    }

    public static <T> PostgresArray ofBytes(List<T> rows, Function<T, @Nullable Object> value) {
        return fill("bytea", new byte[rows.size()][], rows, value);
    }

    private static <T> PostgresArray fill(
            String type, @Nullable Object[] values, List<T> rows, Function<T, @Nullable Object> value) {
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(rows.get(i));
        }
        return new PostgresArray(type, values);
    }

    @Override
    protected Object createTypeValue(Connection connection, int sqlType, @Nullable String typeName)
            throws SQLException {
        return connection.createArrayOf(type, values);
    }
}
