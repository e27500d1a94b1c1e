package io.credential.storage.internal;

import java.util.Locale;

import io.credential.storage.UnsupportedDatabaseException;

/** The SQL that differs between the databases; all other statements are the same. */
public enum SqlDialect {
    POSTGRESQL(
            "SELECT CASE WHEN to_regclass(quote_ident(current_schema()) || '.' || :table) IS NULL THEN 0 ELSE 1 END",
            "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"),
    SQLITE(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = :table COLLATE NOCASE",
            "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)");

    private static final int OLDEST_POSTGRESQL = 14;

    private final String tableExists;
    private final String now;

    SqlDialect(String tableExists, String now) {
        this.tableExists = tableExists;
        this.now = now;
    }

    /** Returns the SQL expression for the time of the database's clock, in Unix milliseconds. */
    public String now() {
        return now;
    }

    /**
     * Returns the SQL condition that the expression before it is one of the results of a selection, which runs once.
     * PostgreSQL may run the selection of an {@code IN} once for each row; if that skips locked rows, it then selects
     * different ones each time.
     */
    public String isOneOf(String selection) {
        return switch (this) {
            case POSTGRESQL -> "= ANY (ARRAY(" + selection + "))";
            case SQLITE -> "IN (" + selection + ")";
        };
    }

    /** Returns the condition of {@link #isOneOf} for a selection that locks its rows and {@link #skipLocked() skips locked ones}. */
    public String isOneUnlockedOf(String selection) {
        return isOneOf(selection + skipLocked());
    }

    /**
     * Returns the SQL that follows a selection of rows to lock until the end of the transaction, skipping rows that others have
     * locked. SQLite has one writer at a time, which needs no lock on rows.
     */
    public String skipLocked() {
        return switch (this) {
            case POSTGRESQL -> " FOR UPDATE SKIP LOCKED";
            case SQLITE -> "";
        };
    }

    /**
     * Returns the SQL that follows a selection of rows to lock until the end of the transaction, waiting for those that others
     * have locked. A transaction on SQLite that writes has waited for the others at its beginning.
     */
    public String lock() {
        return switch (this) {
            case POSTGRESQL -> " FOR UPDATE";
            case SQLITE -> "";
        };
    }

    /**
     * @param product the name in the JDBC metadata
     * @throws UnsupportedDatabaseException if it is not supported, or too old
     */
    static SqlDialect of(String product, int majorVersion, String version) {
        if (product.equals("SQLite")) {
            return SQLITE;
        }
        if (product.equals("PostgreSQL") && majorVersion >= OLDEST_POSTGRESQL) {
            return POSTGRESQL;
        }
        throw new UnsupportedDatabaseException(
                product + " " + version, "PostgreSQL 14 or newer and SQLite are supported");
    }

    /**
     * Returns the SQL query that gives 1 if the schema contains the table {@code :table}, written without quotes, else
     * 0.
     */
    String tableExists() {
        return tableExists;
    }

    /** Returns the folder of the migrations of this dialect. */
    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }
}
