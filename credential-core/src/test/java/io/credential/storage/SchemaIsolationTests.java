package io.credential.storage;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.keyring.internal.KeyringFile;
import io.credential.keyring.internal.KeyringGuard;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Applications in schemas of one PostgreSQL database do not see the tables of each other. */
class SchemaIsolationTests {

    @AutoClose
    private final TestDatabase shared = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private final String user = "shop_" + UUID.randomUUID().toString().replace("-", "");
    private final JdbcTemplate admin = new JdbcTemplate(shared.dataSource());

    @TempDir
    private Path directory;

    /** Another application is in the schema public. */
    @BeforeEach
    void create() {
        start(shared.dataSource(), SchemaMode.MIGRATE, "public");
        admin.execute("create table _credential_webhook_endpoints (endpoint_id text, secret text)");
        admin.execute("insert into _credential_webhook_endpoints values ('e', 's')");
        admin.execute("create role " + user + " login password 'shop'");
        admin.execute("create schema " + user + " authorization " + user);
    }

    @AfterEach
    void drop() {
        admin.execute("drop schema " + user + " cascade");
        admin.execute("drop owned by " + user);
        admin.execute("drop role " + user);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{schema},public", "{schema}"})
    void startWhenInOwnSchemaThenOnlyItsTablesCount(String searchPath) {
        DataSource shop = shop(searchPath);

        for (int start = 0; start < 3; start++) {
            start(shop, SchemaMode.MIGRATE, "shop");
            start(shared.dataSource(), SchemaMode.MIGRATE, "public");
        }

        start(shop, SchemaMode.VALIDATE, "shop");
        assertThat(tablesOf(user)).containsAll(SchemaScripts.CORE.tables());
        assertThat(CredentialDatabase.of(shop).schema()).contains(user);
    }

    @Test
    void startWhenOthersHaveADispatcherThenIgnored() {
        CredentialDatabase database = CredentialDatabase.of(shop(""));
        new SchemaMigrator(database, SchemaScripts.CORE).run(SchemaMode.MIGRATE);

        assertThat(database.hasTable("_credential_webhook_endpoints")).isFalse();
        assertThatCode(() -> guard(database, "shop")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(SchemaMode.class)
    void runWhenSchemaIsMissingThenFailsAndCreatesNothing(SchemaMode mode) {
        for (String path : List.of("shpo", "shpo,public", "\"No\"\"such, schema\"")) {
            assertThatThrownBy(() -> migrator(shop(path)).run(mode))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining(path.startsWith("shpo") ? "schema shpo " : "schema No\"such, schema ")
                    .hasMessageEndingWith("create schema \"%s\" authorization \"%s\""
                            .formatted(path.startsWith("shpo") ? "shpo" : "No\"\"such, schema", user));
        }
        assertThat(tablesOf("shpo")).isEmpty();
        assertThat(admin.queryForList("select nspname from pg_namespace where nspname like 'shpo%'"))
                .isEmpty();
    }

    @Test
    void runWhenTablesAreOnlyInALaterSchemaThenFails() {
        admin.execute("grant select, insert, update, delete on all tables in schema public to " + user);

        assertThatThrownBy(() -> migrator(shop("")).run(SchemaMode.NONE))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("_credential_cluster_keys of the schema public")
                .hasMessageContaining("currentSchema");
        assertThatThrownBy(() -> migrator(shop("")).run(SchemaMode.VALIDATE)).isInstanceOf(SchemaException.class);
    }

    private DataSource shop(String searchPath) {
        DriverManagerDataSource connections =
                new DriverManagerDataSource(shared.jdbcUrl().replaceAll("([?&])(user|password)=[^&]*&?", "$1"));
        connections.setUsername(user);
        connections.setPassword("shop");
        Properties properties = new Properties();
        if (!searchPath.isEmpty()) {
            properties.setProperty("currentSchema", searchPath.replace("{schema}", user));
        }
        connections.setConnectionProperties(properties);
        return connections;
    }

    private static SchemaMigrator migrator(DataSource connections) {
        return new SchemaMigrator(CredentialDatabase.of(connections), SchemaScripts.CORE);
    }

    /** What an application does at startup, with its own keyring. */
    private void start(DataSource connections, SchemaMode mode, String name) {
        CredentialDatabase database = CredentialDatabase.of(connections);
        new SchemaMigrator(database, SchemaScripts.CORE).run(mode);
        guard(database, name);
    }

    private void guard(CredentialDatabase database, String name) {
        var unused = new KeyringGuard(database, new SecureRandom(), Set.of(), () -> false, own -> {})
                .open(new KeyringFile(directory.resolve(name + ".json"), false), true);
    }

    private List<String> tablesOf(String schema) {
        return admin.query(
                "select tablename from pg_tables where schemaname = ? order by tablename",
                (row, number) -> row.getString(1),
                schema);
    }
}
