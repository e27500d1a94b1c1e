package io.credential.spring.test;

import io.credential.testing.TestDatabase;
import io.credential.testing.TestDatabaseSource;

/** Runs the contracts of registry and dispatcher on the database of the in-memory ones. */
public final class TemporaryDatabaseSource implements TestDatabaseSource {

    @Override
    public TestDatabase create() {
        TemporaryDatabase temporary = new TemporaryDatabase();
        return TestDatabase.ofSqlite(temporary.file(), temporary.dataSource(), temporary::close);
    }
}
