package io.credential.storage;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;

import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An application on PostgreSQL has neither the SQLite driver nor, perhaps, HikariCP. */
class WithoutSqliteDriverTests {

    private static final Pattern ABSENT = Pattern.compile(".*(sqlite-jdbc|HikariCP)[^/\\\\]*\\.jar");

    @Test
    void postgresqlWhenSqliteIsAbsentThenWorks() throws Exception {
        try (TestDatabase postgres = TestDatabase.create(DatabaseKind.POSTGRESQL);
                URLClassLoader application = applicationWithoutSqlite()) {
            assertThatThrownBy(() -> application.loadClass("org.sqlite.JDBC"))
                    .isInstanceOf(ClassNotFoundException.class);

            Class<?> migration = application.loadClass(Migration.class.getName());
            migration.getMethod("run", DataSource.class).invoke(null, postgres.dataSource());

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

    private static URLClassLoader applicationWithoutSqlite() throws IOException {
        List<URL> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!ABSENT.matcher(entry).matches()) {
                classPath.add(url(entry));
            }
        }
        return new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String entry) throws MalformedURLException {
        return Path.of(entry).toUri().toURL();
    }
}
