package io.credential.testing;

/** The databases that are supported. */
public enum DatabaseKind {
    POSTGRESQL,
    SQLITE
}
