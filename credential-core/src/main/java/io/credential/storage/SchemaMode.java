package io.credential.storage;

/**
 * How the schema is treated at startup.
 *
 * @since 0.1.0
 */
public enum SchemaMode {
    /** Runs the scripts that have not run. */
    MIGRATE,
    /** Changes nothing, and fails if the schema is not current. */
    VALIDATE,
    /** Neither checks nor changes the schema: the application provides the tables. */
    NONE
}
