package io.credential.storage.internal;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

@BothDatabases
class SqlDialectTests {

    private static final int SELECTED = 2;

    /** With these off, PostgreSQL runs the selection of an {@code IN} once for each row. */
    private static final List<String> OTHER_PLANS = List.of("hashjoin", "mergejoin", "hashagg", "sort", "material");

    private final CredentialDatabase database;

    SqlDialectTests(TestDatabase test) {
        this.database = test.database();
    }

    @Test
    void isOneUnlockedOfThenSelectsOnce() {
        SqlDialect dialect = database.dialect();
        update("CREATE TABLE numbers (n INTEGER PRIMARY KEY)");
        update("INSERT INTO numbers VALUES (1), (2), (3), (4), (5)");
        String selection = "SELECT n FROM numbers ORDER BY n LIMIT " + SELECTED;

        int deleted = database.inTransaction(() -> {
            if (dialect == SqlDialect.POSTGRESQL) {
                OTHER_PLANS.forEach(plan -> update("SET LOCAL enable_" + plan + " = off"));
            }
            return update("DELETE FROM numbers WHERE n " + dialect.isOneUnlockedOf(selection));
        });

        assertThat(deleted).isEqualTo(SELECTED);
    }

    private int update(String sql) {
        return database.jdbc().sql(sql).update();
    }
}
