package io.credential.storage;

/**
 * How the schema is treated at startup.
 *
 * @since 0.1.0
 */
public enum SchemaMode {
    /** Runs the scripts that are missing. */
    MIGRATE,
    /** Changes nothing, and refuses a schema that is not current. */
    VALIDATE,
    /** Neither looks nor touches: the application brings the tables itself. */
    NONE
}
