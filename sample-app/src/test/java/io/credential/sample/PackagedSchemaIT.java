package io.credential.sample;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The SQL for the tables, printed by the command in the documentation. */
class PackagedSchemaIT {

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @Test
    void sqlWhenRunThenSampleStartsWithValidate(@TempDir Path directory) throws SQLException {
        String command = Snippet.launch("io.credential.spring.autoconfigure.database.PrintSchema")
                .replace(" app > credential.sql", "");
        String sql;
        try (PackagedSample print = PackagedSample.launchIn(directory, Map.of(), command)) {
            assertThat(print.awaitEnd()).as(print.text()).isZero();
            sql = print.text()
                    .lines()
                    .filter(line -> !line.startsWith("WARNING: ")) // of the JVM
                    .collect(Collectors.joining("\n"));
        }
        assertThat(directory).isEmptyDirectory();

        try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }

        PackagedSample.startIn(
                        directory,
                        Map.of("SPRING_DATASOURCE_URL", database.jdbcUrl(), "CREDENTIAL_STORAGE_SCHEMA", "validate"))
                .awaitStarted()
                .close();
    }
}
