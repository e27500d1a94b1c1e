package io.credential.testing;

/**
 * Creates a database on which contract suites run instead of those of each kind, for a module that has its own. Found by
 * {@link java.util.ServiceLoader}.
 */
@FunctionalInterface
public interface TestDatabaseSource {

    /** Returns a fresh database. */
    TestDatabase create();
}
