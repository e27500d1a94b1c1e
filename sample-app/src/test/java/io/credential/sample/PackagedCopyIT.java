package io.credential.sample;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The copy of a SQLite file into PostgreSQL, by the command in the documentation. */
class PackagedCopyIT {

    private static final Pattern TOKEN = Pattern.compile("bk_live_[0-9a-f]{16}_[0-9a-f]{32}");

    /** The database and the user on the page. */
    private static final String PLACEHOLDER = "jdbc:postgresql://db/app --user app";

    @AutoClose
    private final TestDatabase target = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @Test
    void copyWhenStoppedThenKeysWorkOnPostgres(@TempDir Path directory) {
        String adminKey;
        String customerKey;
        try (PackagedSample sample = PackagedSample.startIn(directory).awaitStarted()) {
            adminKey = sample.await(TOKEN).group();
            customerKey = sample.api()
                    .with(adminKey)
                    .post("/keys", Map.of("ownerId", "customer"))
                    .text("key");
            assertThat(copy(directory).awaitEnd()).isEqualTo(1); // in use
        }

        try (PackagedSample copy = copy(directory)) {
            assertThat(copy.awaitEnd()).as(copy.text()).isZero();
            assertThat(copy.text().lines())
                    .contains("Verified 2 API keys and 0 webhook endpoints", "_credential_api_keys: 2 of 2 rows")
                    .allMatch(line ->
                            line.matches("(Verified |Copied |_credential_|WARNING: ).*|")); // warnings of the JVM
        }

        Map<String, String> onPostgres = Map.of("SPRING_DATASOURCE_URL", target.jdbcUrl());
        try (PackagedSample sample =
                PackagedSample.startIn(directory, onPostgres).awaitStarted()) {
            assertThat(sample.find(TOKEN)).isEmpty();
            assertThat(sample.api().with(customerKey).get("/whoami").status()).isEqualTo(200);
            assertThat(sample.api().with(adminKey).get("/keys?ownerId=customer").status())
                    .isEqualTo(200);
        }
    }

    private PackagedSample copy(Path directory) {
        String command = Snippet.launch("io.credential.copy.CopyToPostgres");
        assertThat(command).contains(PLACEHOLDER);
        return PackagedSample.launchIn(
                directory,
                Map.of("PGPASSWORD", target.password()),
                command.replace(PLACEHOLDER, target.jdbcUrlWithoutPassword()));
    }
}
