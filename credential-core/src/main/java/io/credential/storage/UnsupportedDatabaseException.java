package io.credential.storage;

/**
 * The DataSource leads to a database that is not supported.
 *
 * @since 0.1.0
 */
public final class UnsupportedDatabaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String product;

    /**
     * @param product name and version as the database gives them
     */
    public UnsupportedDatabaseException(String product) {
        super("Unsupported database: " + product + "; PostgreSQL 14 or newer and SQLite are supported");
        this.product = product;
    }

    /** Name and version as the database gives them. */
    public String product() {
        return product;
    }
}
