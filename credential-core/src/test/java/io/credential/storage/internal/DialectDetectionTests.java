package io.credential.storage.internal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.credential.storage.UnsupportedDatabaseException;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DialectDetectionTests {

    @ParameterizedTest
    @EnumSource
    void ofWhenDatabaseIsSupportedThenRecognized(DatabaseKind kind) {
        try (TestDatabase testDatabase = TestDatabase.create(kind)) {
            CredentialDatabase database = CredentialDatabase.of(testDatabase.dataSource());

            assertThat(database.dialect()).isEqualTo(SqlDialect.valueOf(kind.name()));
            assertThat(database.dataSource()).isSameAs(testDatabase.dataSource());
        }
    }

    @Test
    void ofWhenDatabaseIsH2ThenRefusedByName() {
        DriverManagerDataSource h2 = new DriverManagerDataSource("jdbc:h2:mem:refused;MODE=PostgreSQL");

        assertThatThrownBy(() -> CredentialDatabase.of(h2))
                .isInstanceOf(UnsupportedDatabaseException.class)
                .hasMessageStartingWith("Unsupported database: H2 ")
                .hasMessageContaining("PostgreSQL 14 or newer and SQLite are supported");
    }

    @Test
    void ofWhenDatabaseDoesNotAnswerThenDataAccessException() {
        DriverManagerDataSource nobody = new DriverManagerDataSource("jdbc:postgresql://localhost:1/nobody");

        assertThatThrownBy(() -> CredentialDatabase.of(nobody)).isInstanceOf(DataAccessException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {14, 18, 19})
    void dialectWhenPostgresql14OrNewerThenSupported(int version) {
        assertThat(SqlDialect.of("PostgreSQL", version, version + ".1")).isEqualTo(SqlDialect.POSTGRESQL);
    }

    @ParameterizedTest
    @CsvSource({"PostgreSQL, 13, 13.16", "MySQL, 14, 14.0", "MariaDB, 15, 15.1", "CockroachDB, 24, 24.1"})
    void dialectWhenAnythingElseThenRefused(String product, int majorVersion, String version) {
        assertThatThrownBy(() -> SqlDialect.of(product, majorVersion, version))
                .isInstanceOf(UnsupportedDatabaseException.class)
                .hasMessageContaining(product + " " + version);
    }
}
