package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.sample.Api.Answer;
import io.credential.testing.DatabaseKind;

import static io.credential.sample.KeyFixture.secret;
import static org.assertj.core.api.Assertions.assertThat;

/** Neither the database nor a detailed log contains the secrets of keys. Each database has its own sample here. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
@SuppressWarnings("NullAway.Init") // set before each invocation
class KeySecrecyIT {

    private static final Pattern ANNOUNCED = Pattern.compile("Admin key.*: (bk_live_[0-9a-f]{16}_[0-9a-f]{32})");

    /** So much that whatever could leak into a log does. */
    private static final Map<String, String> LEVELS = Map.of(
            "io.credential", "trace",
            "org.springframework.security", "trace",
            "org.springframework.web", "trace",
            "org.springframework.jdbc", "debug");

    @Parameter
    private DatabaseKind kind;

    private Map<String, String> properties;
    private SampleDatabase database;
    private Sample sample;
    private Api api;
    private Api admin;
    private String adminKey;

    @BeforeParameterizedClassInvocation
    void start(DatabaseKind kind, CapturedOutput output) throws IOException {
        int printedBefore = output.getOut().length();
        properties = new HashMap<>();
        LEVELS.forEach((logger, level) -> properties.put("logging.level." + logger, level));
        database = SampleDatabase.create(kind);
        sample = database.start(properties);
        Matcher announced = ANNOUNCED.matcher(output.getOut().substring(printedBefore));
        assertThat(announced.find()).as("an admin key was printed").isTrue();
        adminKey = announced.group(1);
        assertThat(announced.find()).as("a second admin key was printed").isFalse();
        api = sample.api();
        admin = api.with(adminKey);
    }

    @AfterParameterizedClassInvocation
    void stop() throws IOException {
        sample.close();
        database.close();
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        LEVELS.keySet().forEach(logger -> logging.setLogLevel(logger, null));
    }

    @Test
    void databaseThenKeepsNothingInClear() {
        String owner = "owner-in-clear-7f3a";
        String scope = "scope-in-clear:9d1c";
        String metadata = "metadata-in-clear-5b2e";
        Answer issued = admin.post(
                "/keys", Map.of("ownerId", owner, "scopes", List.of(scope), "metadata", Map.of("note", metadata)));
        Answer rotated = admin.post("/keys/" + issued.text("id") + "/rotate", Map.of("graceful", true));
        api.with(issued.text("key")).get("/whoami");

        String stored = everythingStored();

        assertThat(stored).contains(issued.text("id"));
        assertThat(stored)
                .doesNotContain(
                        owner,
                        scope,
                        metadata,
                        secret(issued.text("key")),
                        secret(rotated.text("key")),
                        secret(adminKey));
    }

    @Test
    void logThenHoldsNoToken(CapturedOutput output) {
        Answer issued = issue("user-18", "orders:read");
        Answer rotated = admin.post("/keys/" + issued.text("id") + "/rotate", Map.of("graceful", true));
        String wrong = "bk_live_" + issued.text("id") + "_" + "ab".repeat(16);
        for (String key : List.of(issued.text("key"), rotated.text("key"), wrong)) {
            api.with(key).get("/orders");
            api.with(key).get("/keys?ownerId=user-18");
        }

        String log = output.getAll();

        assertThat(log).contains("/orders");
        assertThat(log).doesNotContain(secret(issued.text("key")), secret(rotated.text("key")), secret(wrong));
        assertThat(log.split(secret(adminKey), -1))
                .as("the admin key is printed once")
                .hasSize(2);
    }

    @Test
    void restartThenKeepsTheKeysAndPrintsNoOther(CapturedOutput output) {
        String key = issue("user-19").text("key");
        int printedBefore = output.getOut().length();

        sample.close();
        sample = database.start(properties);
        api = sample.api();
        admin = api.with(adminKey);

        assertThat(api.with(key).get("/whoami").status()).isEqualTo(200);
        assertThat(output.getOut().substring(printedBefore)).doesNotContain("Admin key");
    }

    private String everythingStored() {
        return kind == DatabaseKind.POSTGRESQL ? everyRow() : everyFile();
    }

    private String everyRow() {
        JdbcClient jdbc = sample.jdbc();
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

    /** The database file with its write-ahead log and whatever else stands beside it under its name. */
    private String everyFile() {
        try (Stream<Path> files = Files.list(database.directory())) {
            List<Path> parts = files.filter(
                            file -> file.getFileName().toString().startsWith("credential.db"))
                    .toList();
            return parts.stream().map(KeySecrecyIT::bytes).collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String bytes(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer issue(String owner, String... scopes) {
        return KeyFixture.issue(admin, owner, scopes);
    }
}
