package io.credential.storage.internal;

import java.sql.SQLTransientConnectionException;
import java.util.List;

import org.springframework.core.NestedExceptionUtils;

import io.credential.storage.SchemaException;

/** Says what is wrong with a schema, and what to do about it. */
final class SchemaFailures {

    private SchemaFailures() {}

    static SchemaException noSchema(String name, PostgresSchema schema) {
        return new SchemaException(
                "The schema " + name + " does not exist, or the database user " + schema.user()
                        + " has no USAGE privilege on it (search_path: " + schema.searchPath() + ")",
                "Correct 'currentSchema' in the JDBC URL or the search_path of the user, or create the schema: "
                        + "create schema " + quoted(name) + " authorization " + quoted(schema.user()),
                null);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static SchemaException foreign(String table, PostgresSchema schema) {
        return new SchemaException(
                "The tables belong in the schema " + schema.name() + ", but statements would use " + table
                        + ", probably of another application (search_path: " + schema.searchPath() + ")",
                "Create the tables in the schema " + schema.name() + ", with 'credential.storage.schema=migrate' or the"
                        + " SQL that the command PrintSchema prints. If the other tables are the ones to use, add"
                        + " currentSchema with their schema to the JDBC URL",
                null);
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
        return isPoolExhausted(cause)
                ? poolTooSmall(cause)
                : new SchemaException("The database schema could not be migrated", List.of(), cause);
    }

    static SchemaException poolTooSmall(Throwable cause) {
        return new SchemaException(
                "The database schema could not be migrated or checked, because the connection pool had no second"
                        + " connection in time",
                "Give the pool at least two connections, for example with 'spring.datasource.hikari.maximum-pool-size', and"
                        + " check that nothing keeps them in use at startup",
                cause);
    }

    static SchemaException unreadable(Throwable cause) {
        return isPoolExhausted(cause)
                ? poolTooSmall(cause)
                : new SchemaException("The history of the database schema could not be read", List.of(), cause);
    }

    /** Returns whether a pool provided no connection, although the database may answer. */
    static boolean isPoolExhausted(Throwable failure) {
        return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLTransientConnectionException;
    }

    static SchemaException locked(Throwable cause) {
        return new SchemaException(
                "The database schema could not be migrated, because another transaction holds a lock on one of its tables. "
                        + "End transactions that have begun long ago (xact_start in pg_stat_activity), and start again",
                List.of(),
                cause);
    }
}
