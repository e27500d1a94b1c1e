package io.credential.storage;

/**
 * The database of the DataSource is not supported, or is configured in a way that breaks transactions.
 *
 * @since 0.1.0
 */
public final class UnsupportedDatabaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param product name and version as the database reports them
     * @param remedy what to use instead
     */
    public UnsupportedDatabaseException(String product, String remedy) {
        super("Unsupported database: " + product + "; " + remedy);
    }
}
