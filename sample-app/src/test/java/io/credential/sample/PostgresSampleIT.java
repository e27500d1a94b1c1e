package io.credential.sample;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterAll;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

/** The sample on PostgreSQL, told by nothing but the URL. */
class PostgresSampleIT extends SampleContract {

    private TestDatabase database;

    @Override
    Map<String, String> database(Path directory) {
        database = TestDatabase.create(DatabaseKind.POSTGRESQL);
        return Map.of("spring.datasource.url", database.jdbcUrl());
    }

    @AfterAll
    @Override
    void stop() {
        super.stop();
        database.close();
    }

    /** Every row of every table. */
    @Override
    String everythingStored() {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        List<String> tables = jdbc.sql("select quote_ident(table_name) from information_schema.tables"
                        + " where table_schema = 'public' and table_type = 'BASE TABLE'")
                .query(String.class)
                .list();
        return tables.stream()
                .flatMap(table -> jdbc.sql("select t::text from " + table + " t").query(String.class).list().stream())
                .collect(Collectors.joining("\n"));
    }
}
