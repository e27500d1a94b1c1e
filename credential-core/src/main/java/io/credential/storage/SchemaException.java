package io.credential.storage;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The tables do not match this version, and could not be migrated to it.
 *
 * @since 0.1.0
 */
public final class SchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final List<String> missingScripts;

    private SchemaException(String message, List<String> missingScripts, @Nullable Throwable cause) {
        super(message, cause);
        this.missingScripts = List.copyOf(missingScripts);
    }

    static SchemaException missing(List<String> scripts) {
        return new SchemaException(
                "The database schema is not current; these scripts have not run: " + String.join(", ", scripts)
                        + ". Set credential.storage.schema=migrate with a database user who may create tables, or have "
                        + "another user run the SQL that the command PrintSchema prints",
                scripts,
                null);
    }

    static SchemaException invalid(String details) {
        return new SchemaException("The database schema does not match the scripts: " + details, List.of(), null);
    }

    static SchemaException failed(Throwable cause) {
        return new SchemaException("The database schema could not be migrated", List.of(), cause);
    }

    static SchemaException unreadable(Throwable cause) {
        return new SchemaException("The history of the database schema could not be read", List.of(), cause);
    }

    static SchemaException locked(Throwable cause) {
        return new SchemaException(
                "The database schema could not be migrated, because another transaction holds a lock on one of its tables. "
                        + "End transactions that have begun long ago (xact_start in pg_stat_activity), and start again",
                List.of(),
                cause);
    }

    /** Returns the scripts that have not run, by file name and in order; empty if there is another problem. */
    public List<String> missingScripts() {
        return missingScripts;
    }
}
