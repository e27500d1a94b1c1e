package io.credential.storage;

import java.util.Locale;

/**
 * What must differ between the databases; all else is one set of SQL.
 *
 * @since 0.1.0
 */
public enum SqlDialect {
    POSTGRESQL("SELECT CASE WHEN to_regclass(:table) IS NULL THEN 0 ELSE 1 END"),
    SQLITE("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = :table COLLATE NOCASE");

    private static final int OLDEST_POSTGRESQL = 14;

    private final String tableExists;

    SqlDialect(String tableExists) {
        this.tableExists = tableExists;
    }

    /**
     * @param product as JDBC meta data names it
     * @throws UnsupportedDatabaseException if it is none of these, or too old
     */
    static SqlDialect of(String product, int majorVersion, String version) {
        if (product.equals("SQLite")) {
            return SQLITE;
        }
        if (product.equals("PostgreSQL") && majorVersion >= OLDEST_POSTGRESQL) {
            return POSTGRESQL;
        }
        throw new UnsupportedDatabaseException(product + " " + version);
    }

    /** Gives 1 when there is a table of the name {@code :table}, written without quotes, else 0. */
    String tableExists() {
        return tableExists;
    }

    /** The folder of this dialect's own migrations. */
    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }
}
