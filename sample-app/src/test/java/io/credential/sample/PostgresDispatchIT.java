package io.credential.sample;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;

import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

/** Sending from PostgreSQL. */
class PostgresDispatchIT extends DispatchContract {

    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @Override
    Map<String, String> database(Path directory) {
        return Map.of("spring.datasource.url", database.jdbcUrl());
    }

    @AfterAll
    @Override
    void stop() {
        super.stop();
        database.close();
    }
}
