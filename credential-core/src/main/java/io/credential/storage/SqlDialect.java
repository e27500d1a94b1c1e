package io.credential.storage;

import java.util.Locale;

/**
 * What must differ between the databases; all else is one set of SQL.
 *
 * @since 0.1.0
 */
public enum SqlDialect {
    POSTGRESQL,
    SQLITE;

    private static final int OLDEST_POSTGRESQL = 14;

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

    /** The folder of this dialect's own migrations. */
    String folder() {
        return name().toLowerCase(Locale.ROOT);
    }
}
