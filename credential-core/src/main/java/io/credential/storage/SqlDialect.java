package io.credential.storage;

/**
 * What must differ between the databases; all else is one set of SQL.
 *
 * @since 0.1.0
 */
public enum SqlDialect {
    POSTGRESQL,
    SQLITE
}
