package io.credential.storage.internal;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;

/**
 * Limits how long a script waits for a lock in PostgreSQL. While it waits for a transaction that has used a table, all
 * later statements on that table wait for the script, on every node. Thread-safe.
 */
final class ScriptLockTimeout implements Callback {

    /** More than {@code deadlock_timeout}, after which a waiting script ends an automatic vacuum that is in its way. */
    static final int DEFAULT_MILLIS = 2_000;

    /** The lock was not available in time, or two transactions waited for each other. */
    private static final Set<String> STATES = Set.of("55P03", "40P01");

    private final int millis;

    ScriptLockTimeout(int millis) {
        this.millis = millis;
    }

    @Override
    public boolean supports(Event event, @Nullable Context context) {
        return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, @Nullable Context context) {
        return true;
    }

    /** Holds until the transaction of the script ends. */
    @Override
    public void handle(Event event, Context context) {
        try (Statement statement = context.getConnection().createStatement()) {
            statement.execute("SET LOCAL lock_timeout = " + millis);
        } catch (SQLException e) {
            throw new FlywayException("The lock timeout could not be set", e);
        }
    }

    @Override
    public String getCallbackName() {
        return "credential-lock-timeout";
    }

    static boolean isCauseOf(FlywayException failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException cause
                && cause.getSQLState() != null
                && STATES.contains(cause.getSQLState());
    }
}
