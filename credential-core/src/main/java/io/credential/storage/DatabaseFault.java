package io.credential.storage;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * A database failure with a known remedy. If it is {@link #isPermanent() permanent}, an operator must act. Failures
 * without a fault are outages or conflicts, after which a retry can succeed.
 *
 * @since 0.1.0
 */
public enum DatabaseFault {
    /** The file of the database cannot be written. */
    READ_ONLY("The database is read-only", "make the SQLite file and its directory writable"),
    /** The server accepts no changes at the moment, as a standby does until a failover ends; not permanent. */
    READ_ONLY_SERVER(
            "The database server is read-only",
            "retry later; if this persists, connect to the primary server, and check default_transaction_read_only"),
    /** The database user lacks a privilege. */
    PRIVILEGES(
            "The database user lacks a privilege",
            "grant it what 'Create the tables yourself' in the operations documentation lists"),
    /** The disk of the database is full. */
    DISK_FULL("The disk of the database is full", "free or add space"),
    /** A table or column is missing, or differs from that of this version. */
    SCHEMA(
            "The tables do not match this version, or are in another schema",
            "check currentSchema in the JDBC URL, and start with 'credential.storage.schema=migrate' or run the SQL that the"
                    + " command PrintSchema prints"),
    /** The database rejects the user, or does not exist. */
    LOGIN(
            "The database rejects the login, or does not exist",
            "correct 'spring.datasource.url', 'spring.datasource.username' and 'spring.datasource.password'"),
    /** The file of the database cannot be opened, perhaps for lack of file descriptors; not permanent. */
    FILE(
            "The SQLite file cannot be opened",
            "check that its directory exists, that the application may write to it, and that file descriptors are left"),
    /** The contents of the database are damaged. */
    DAMAGED("The database is damaged", "restore it from a backup"),
    /** The database rejects a value. */
    VALUE("The database rejects a value", "check that the tables are those of this version, and report the error"),
    /** Prepared statements are lost between transactions. */
    POOLING_PROXY(
            "Prepared statements are lost, probably because of a proxy that pools transactions",
            "add prepareThreshold=0 to the JDBC URL");

    private static final String SQLITE_PACKAGE = "org.sqlite.";

    private final String problem;
    private final String remedy;

    DatabaseFault(String problem, String remedy) {
        this.problem = problem;
        this.remedy = remedy;
    }

    /** Returns the fault that caused an exception; empty if none is known, so that a retry can succeed. */
    public static Optional<DatabaseFault> of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException database) {
                DatabaseFault fault = of(database);
                SQLException next = cause instanceof BatchUpdateException ? database.getNextException() : null;
                if (fault == null && next != null) {
                    fault = of(next);
                }
                if (fault != null) {
                    return Optional.of(fault);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns a clause for logs: the fault and its remedy, or that the database does not answer, or the kind of error.
     */
    public static String explain(Throwable failure) {
        boolean ofDatabase = failure instanceof DataAccessException || failure instanceof TransactionException;
        return of(failure)
                .map(DatabaseFault::message)
                .orElse(
                        ofDatabase
                                ? "the database does not answer"
                                : failure.getClass().getSimpleName());
    }

    /**
     * Returns whether an operator must act before a retry can succeed. Other faults can end by themselves, for example when
     * a failover is complete or file descriptors are free again.
     */
    public boolean isPermanent() {
        return this != READ_ONLY_SERVER && this != FILE;
    }

    /** Returns what is wrong, without a period. */
    public String problem() {
        return problem;
    }

    /** Returns what to do, as a clause without a period. */
    public String remedy() {
        return remedy;
    }

    /** Returns problem and remedy in one sentence, without a period. */
    public String message() {
        return problem + "; " + remedy;
    }

    private static @Nullable DatabaseFault of(SQLException failure) {
        String state = failure.getSQLState();
        if (state != null && state.length() == 5) {
            return ofState(state);
        }
        return failure.getClass().getName().startsWith(SQLITE_PACKAGE) ? ofSqlite(failure) : null;
    }

    private static @Nullable DatabaseFault ofState(String state) {
        return switch (state) {
            case "25006" -> READ_ONLY_SERVER;
            case "42501" -> PRIVILEGES;
            case "53100" -> DISK_FULL;
            case "26000", "42P05" -> POOLING_PROXY;
            case "3D000" -> LOGIN;
            case "3F000", "23502", "23514" -> SCHEMA;
            case "XX001", "XX002" -> DAMAGED;
            default -> ofClass(state.substring(0, 2));
        };
    }

    private static @Nullable DatabaseFault ofClass(String stateClass) {
        return switch (stateClass) {
            case "22", "54" -> VALUE;
            case "28" -> LOGIN;
            case "42" -> SCHEMA;
            default -> null;
        };
    }

    /** By the primary result code, which the driver reports without a state. */
    private static @Nullable DatabaseFault ofSqlite(SQLException failure) {
        return switch (failure.getErrorCode() & 0xFF) {
            case 1 -> isOfSchema(failure.getMessage()) ? SCHEMA : null;
            case 3, 23 -> PRIVILEGES;
            case 8 -> READ_ONLY;
            case 11, 26 -> DAMAGED;
            case 13 -> DISK_FULL;
            case 14 -> FILE;
            case 18, 20 -> VALUE;
            default -> null;
        };
    }

    private static boolean isOfSchema(@Nullable String message) {
        return message != null
                && (message.contains("no such table")
                        || message.contains("no such column")
                        || message.contains("has no column named"));
    }
}
