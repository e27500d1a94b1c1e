package io.credential.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.IssueRequest;
import io.credential.copy.CopyFixture.App;
import io.credential.copy.CopyFixture.Run;
import io.credential.storage.internal.sqlite.SqliteDataSource;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;

import static org.assertj.core.api.Assertions.assertThat;

/** What stops the command. Nothing is copied then, and the message says what to do. */
class CopyRefusalTests {

    @AutoClose
    private final CopyFixture fixture = new CopyFixture();

    @Test
    void copyWhenFileIsMissingThenRefused() {
        assertRefused(fixture.copy("--from", fixture.directory + "/none.db"), "There is no SQLite file", "--from");
        assertThat(fixture.directory.resolve("none.db")).doesNotExist();
    }

    @Test
    void copyWhenFileIsNoDatabaseThenRefused() throws IOException {
        Files.writeString(fixture.file, "this is a text and not a database".repeat(100));

        assertRefused(fixture.copy(), "cannot be opened", "not a database");
    }

    @Test
    void copyWhenFileIsOfSomethingElseThenRefused() throws IOException {
        Files.createFile(fixture.file);

        assertRefused(fixture.copy(), "has no table _credential_key_checks", "--from");
    }

    @Test
    void copyWhenApplicationRunsThenRefused() {
        Run run = fixture.onSqlite(app -> {
            issued(app);
            return fixture.copy();
        });

        assertRefused(run, "is in use", "Stop the application");
    }

    @Test
    void copyWhenFileIsWrittenWithoutLogThenRefused() throws Exception {
        fixture.withSqlite(CopyRefusalTests::issued);
        try (HikariDataSource pool = SqliteDataSource.pooled(fixture.file);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("pragma journal_mode = delete");
        }
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + fixture.file);
                Statement statement = other.createStatement()) {
            statement.execute("begin immediate");

            assertRefused(fixture.copy(), "is in use", "Stop the application");
        }
        assertThat(fixture.copy().exitCode()).isZero();
    }

    @Test
    void copyWhenSchemaIsOlderThenRefused() {
        fixture.withSqlite(app -> app.sql("DELETE FROM _credential_schema_history WHERE script = 'V3__audit_log.sql'"));

        assertRefused(fixture.copy(), "older version", "V3__audit_log.sql", "Start and stop the application");
    }

    @Test
    void copyWhenScriptWasAlteredThenRefused() {
        fixture.withSqlite(app ->
                app.sql("UPDATE _credential_schema_history SET checksum = 1 WHERE script = 'V3__audit_log.sql'"));

        assertRefused(fixture.copy(), "does not match the scripts");
    }

    @Test
    void copyWhenSchemaIsNewerThenRefused() {
        fixture.withSqlite(app -> app.sql("""
                INSERT INTO _credential_schema_history (installed_rank, version, description, type, script,
                    installed_by, execution_time, success)
                VALUES (99, '99', 'future', 'SQL', 'V99__future.sql', '', 1, 1)"""));

        assertRefused(fixture.copy(), "newer version", "V99__future.sql");
    }

    @Test
    void copyWhenTargetIsNewerThenRefused() {
        fixture.withSqlite(CopyRefusalTests::issued);
        fixture.target.database().jdbc().sql("""
                INSERT INTO _credential_schema_history (installed_rank, version, description, type, script,
                    installed_by, execution_time, success)
                VALUES (99, '99', 'future', 'SQL', 'V99__future.sql', '', 1, true)""").update();

        assertRefused(fixture.copy(), "newer version", "V99__future.sql");
    }

    @Test
    void copyWhenKeyRowWasTamperedWithThenRefused() {
        String id = fixture.onSqlite(app -> {
            issued(app);
            String tampered = issued(app);
            app.sql("UPDATE _credential_api_keys SET revoked_at = 1 WHERE id = '" + tampered + "'");
            return tampered;
        });

        assertRefused(fixture.copy(), "_credential_api_keys.row_mac of API key " + id, "delete it");
    }

    @Test
    void copyWhenKeyRowWasTamperedWithAndDeletedThenCopied() {
        fixture.withSqlite(app -> {
            issued(app);
            app.sql("UPDATE _credential_api_keys SET revoked_at = 1");
        });
        assertThat(fixture.copy().exitCode()).isEqualTo(1);
        fixture.withSqlite(app -> app.sql("DELETE FROM _credential_api_keys"));

        assertThat(fixture.copy().exitCode()).isZero();
    }

    @Test
    void copyWhenEndpointWasTamperedWithThenRefused() {
        fixture.withSqlite(app -> {
            fixture.endpoint(app, "partner");
            app.sql("UPDATE _credential_webhook_endpoints SET url = 'https://attacker.example'");
        });

        assertRefused(fixture.copy(), "_credential_webhook_endpoints.secret of endpoint partner", "register");
    }

    @Test
    void copyWhenSecretHasPlainFormThenRefused() {
        fixture.withSqlite(app -> {
            fixture.endpoint(app, "partner");
            app.sql("UPDATE _credential_webhook_endpoints SET secret = 's0' || substr(secret, 3)");
        });

        assertRefused(fixture.copy(), "plain form", "credential.seal.allow-plain-migration, reseal");
    }

    @Test
    void copyWhenKeyHasPlainFormThenRefused() {
        fixture.withSqlite(app -> {
            issued(app);
            app.sql("UPDATE _credential_api_keys SET owner_id = 's0' || substr(owner_id, 3)");
        });

        assertRefused(fixture.copy(), "plain form", "credential.seal.allow-plain-migration, reseal");
    }

    @Test
    void copyWhenKeyringIsOfOtherDatabaseThenRefused() throws IOException {
        fixture.withSqlite(CopyRefusalTests::issued);
        try (CopyFixture other = new CopyFixture()) {
            other.withSqlite(CopyRefusalTests::issued);
            Files.copy(other.keyring, fixture.directory.resolve("other.json"));
        }

        assertRefused(
                fixture.copy(
                        "--keyring", fixture.directory.resolve("other.json").toString()),
                "is not the one of this database",
                "Restore the keyring");
    }

    @Test
    void copyWhenKeyringLacksKeyThenRefused() throws IOException {
        fixture.withSqlite(CopyRefusalTests::issued);
        String json = Files.readString(fixture.keyring).replace("\"k1\"", "\"k9\"");
        Files.writeString(fixture.keyring, json);

        assertRefused(fixture.copy(), "lacks the key 'k1'", "Put the key back");
    }

    @Test
    void copyWhenKeyringIsMissingThenRefused() throws IOException {
        fixture.withSqlite(CopyRefusalTests::issued);
        Files.delete(fixture.keyring);

        assertRefused(fixture.copy(), "keyring.json cannot be read");
        assertThat(fixture.keyring).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ephemeral:", "classpath:none.json", "base64:%%%"})
    void copyWhenKeyringCannotBeReadThenRefused(String location) {
        fixture.withSqlite(CopyRefusalTests::issued);
        fixture.environment.put(CopyOptions.KEYRING, location);

        Run run = fixture.run("--from", fixture.file.toString(), "--to", fixture.target.jdbcUrlWithoutPassword());

        assertRefused(run, "keyring");
        assertThat(run.err()).doesNotContain("%%%");
    }

    @Test
    void copyWhenTargetHasRowsThenRefused() {
        fixture.withSqlite(CopyRefusalTests::issued);
        assertThat(fixture.copy().exitCode()).isZero();
        List<String> before = fixture.onPostgres(app -> CopyFixture.rows(app.database(), CopiedTables.API_KEYS));

        Run again = fixture.copy();

        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("The table _credential_api_key_totals", "contains rows", "drop its tables");
        assertThat(fixture.<List<String>>onPostgres(app -> CopyFixture.rows(app.database(), CopiedTables.API_KEYS)))
                .isEqualTo(before);
    }

    @Test
    void copyWhenNodeHasLeaseOnTargetThenRefused() {
        fixture.withSqlite(CopyRefusalTests::issued);
        fixture.target.database().jdbc().sql("""
                INSERT INTO _credential_leases (name, holder, epoch, expires_at) VALUES ('leader', 'node', 1, 1)""").update();

        Run run = fixture.copy();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("The table _credential_leases");
    }

    @Test
    void copyWhenNodeHasAnnouncedKeysOnTargetThenRefused() {
        fixture.withSqlite(CopyRefusalTests::issued);
        fixture.target.database().jdbc().sql("""
                INSERT INTO _credential_cluster_keys (node, check_id, check_value, is_active, expires_at)
                VALUES ('node/1', 'k1', 'v', 1, 9000000000000)""").update();

        Run refused = fixture.copy();

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("A node uses", "Stop every application");
        fixture.target
                .database()
                .jdbc()
                .sql("UPDATE _credential_cluster_keys SET expires_at = 1")
                .update();
        assertThat(fixture.copy().exitCode()).isZero();
    }

    @Test
    void copyWhenTargetIsBeingWrittenThenRefused() throws Exception {
        fixture.lockTimeout = Duration.ofMillis(1);
        fixture.withSqlite(CopyRefusalTests::issued);
        fixture.target.migrate(CopiedTables.ALL_SCRIPTS);
        try (Connection writer = fixture.target.dataSource().getConnection();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute("INSERT INTO _credential_nonces (nonce, expires_at) VALUES ('00', 1)");

            assertRefused(fixture.copy(), "are in use", "Stop every application");
            writer.rollback();
        }
    }

    @Test
    void copyWhenColumnsDifferThenRefused() {
        fixture.withSqlite(app -> {
            issued(app);
            app.sql("ALTER TABLE _credential_nonces ADD COLUMN note text");
        });

        assertRefused(fixture.copy(), "The columns of _credential_nonces differ", "note");
    }

    @Test
    void copyWhenValueHasWrongTypeThenRefused() {
        fixture.withSqlite(app -> app.sql("INSERT INTO _credential_nonces (nonce, expires_at) VALUES ('00', 'soon')"));

        Run run = fixture.copy();

        assertRefused(run, "_credential_nonces", "column expires_at, in row 1");
        assertThat(run.err()).doesNotContain("soon");
    }

    @Test
    void copyWhenPostgresRejectsValueThenNotQuoted() {
        fixture.withSqlite(app ->
                app.sql("INSERT INTO _credential_nonces (nonce, expires_at) VALUES ('4711' || char(0) || '0815', 1)"));

        Run run = fixture.copy();

        assertRefused(run, "The table _credential_nonces of the target cannot be written");
        assertThat(run.err()).doesNotContain("4711", "0815");
    }

    @Test
    void copyWhenDispatcherIsNotNamedThenRefused() {
        fixture.withSqlite(CopyRefusalTests::issued);

        assertRefused(
                fixture.copy("--endpoints-table", "a_endpoints", "--deliveries-table", "a_deliveries"),
                "no dispatcher with the tables a_endpoints and a_deliveries");
    }

    @Test
    void copyWhenAnotherDispatcherHasTablesThenRefused() {
        try (HikariDataSource pool = SqliteDataSource.pooled(fixture.file)) {
            fixture.on(pool, DispatcherTables.named("a_endpoints", "a_deliveries"), CopyRefusalTests::issued);
        }

        assertRefused(fixture.copy(), "another dispatcher", "a_schema_history");
    }

    @Test
    void copyWhenPasswordIsWrongThenNotShown() throws Exception {
        fixture.withSqlite(CopyRefusalTests::issued);
        fixture.environment.put(CopyOptions.PASSWORD, "hunter2");
        try (RejectingPostgres server = RejectingPostgres.start()) {
            Run run = fixture.copy("--to", server.url(), "--user", "app");

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("Cannot connect to " + server.url(), "28P01 for app", "PGPASSWORD");
            assertThat(run.out() + run.err()).doesNotContain("hunter2");
        }
    }

    private void assertRefused(Run run, String... parts) {
        assertThat(run.err()).contains(parts).doesNotContain("\tat ");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(fixture.isTargetEmpty() || run.err().contains("newer")).isTrue();
    }

    private static String issued(App app) {
        return app.registry().issue(IssueRequest.forOwner("owner")).id();
    }
}
