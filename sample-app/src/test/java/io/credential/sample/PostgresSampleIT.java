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

    /** Every row of every table. */
    @Override
    String everythingStored(Path directory) {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        List<String> tables = jdbc.sql("select quote_ident(table_name) from information_schema.tables"
                        + " where table_schema = 'public' and table_type = 'BASE TABLE'")
                .query((row, number) -> row.getString(1))
                .list();
        return tables.stream()
                .flatMap(
                        table -> jdbc
                                .sql("select t::text from " + table + " t")
                                .query((row, number) -> row.getString(1))
                                .list()
                                .stream())
                .collect(Collectors.joining("\n"));
    }
}
