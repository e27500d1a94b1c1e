package io.credential.storage;

import java.util.regex.Pattern;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.testing.DatabaseKind;
import io.credential.testing.ReducedClassPath;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An application on PostgreSQL has neither the SQLite driver nor, perhaps, HikariCP. */
class WithoutSqliteDriverTests {

    private static final Pattern ABSENT = Pattern.compile("^(sqlite-jdbc|HikariCP)");

    @Test
    void postgresqlWhenSqliteIsAbsentThenWorks() throws Exception {
        try (TestDatabase postgres = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            var unused = ReducedClassPath.without(ABSENT.asPredicate(), application -> {
                assertThatThrownBy(() -> application.loadClass("org.sqlite.JDBC"))
                        .isInstanceOf(ClassNotFoundException.class);
                Class<?> migration = application.loadClass(Migration.class.getName());
                return migration.getMethod("run", DataSource.class).invoke(null, postgres.dataSource());
            });

            assertThat(postgres.database()
                            .jdbc()
                            .sql("select count(*) from _credential_leases")
                            .query(Integer.class)
                            .single())
                    .isZero();
        }
    }

    /** What the test runs inside that application. */
    public static final class Migration {

        private Migration() {}

        public static void run(DataSource dataSource) {
            CredentialDatabase database = CredentialDatabase.of(dataSource);
            new SchemaMigrator(database, SchemaScripts.CORE).run(SchemaMode.MIGRATE);
            database.inTransaction(
                    () -> database.jdbc().sql("delete from _credential_leases").update());
        }
    }
}
