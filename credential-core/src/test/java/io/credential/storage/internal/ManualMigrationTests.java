package io.credential.storage.internal;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import io.credential.storage.SchemaMode;
import io.credential.testing.DatabaseKind;
import io.credential.testing.SchemaContract;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ManualMigrationTests extends SchemaContract {

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private final CredentialDatabase database = CredentialDatabase.of(test.dataSource());
    private final JdbcTemplate jdbc = new JdbcTemplate(test.dataSource());

    ManualMigrationTests() {
        super(SchemaScripts.CORE);
    }

    @Test
    void sqlWhenUserIsGivenThenGrantsWhatItNeeds() {
        SchemaScripts log = SchemaScripts.ofAppendOnly("io/credential/storage/second", "_credential_second");

        assertThat(SchemaScripts.CORE.and(log).sql("o\"brien"))
                .contains(
                        "grant select on \"_credential_schema_history\" to \"o\"\"brien\";",
                        "grant select, insert on _credential_second to \"o\"\"brien\";",
                        "grant select, insert, update, delete on _credential_leases to \"o\"\"brien\";");
    }

    @Test
    void sqlWhenOlderThenRunsWhatIsMissing() {
        SchemaMigrator migrator = new SchemaMigrator(database, SchemaScripts.CORE);
        migrator.configuration().target("9").load().migrate();

        jdbc.execute(SchemaScripts.CORE.sql(null));

        assertThatNoException().isThrownBy(() -> migrator.run(SchemaMode.VALIDATE));
    }

    /** The scripts of the product have lower numbers than those that have run. */
    @Test
    void sqlWhenProductIsAddedThenRunsItsScripts() {
        SchemaScripts both =
                SchemaScripts.CORE.and(SchemaScripts.of("io/credential/storage/first", "_credential_first"));
        new SchemaMigrator(database, SchemaScripts.CORE).run(SchemaMode.MIGRATE);

        jdbc.execute(both.sql(null));

        assertThatNoException().isThrownBy(() -> new SchemaMigrator(database, both).run(SchemaMode.VALIDATE));
    }

    @Test
    void sqlWhenCurrentThenChangesNothing() {
        new SchemaMigrator(database, SchemaScripts.CORE).run(SchemaMode.MIGRATE);
        List<@Nullable String> before = history();

        jdbc.execute(SchemaScripts.CORE.sql(null));

        assertThat(history()).isEqualTo(before);
    }

    private List<@Nullable String> history() {
        return jdbc.queryForList(
                "select h::text from _credential_schema_history h order by installed_rank", String.class);
    }
}
