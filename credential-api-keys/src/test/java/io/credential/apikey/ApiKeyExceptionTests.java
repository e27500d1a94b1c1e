package io.credential.apikey;

import java.sql.SQLException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;

class ApiKeyExceptionTests {

    @ParameterizedTest
    @CsvSource({"25006, UNAVAILABLE, server is read-only", "53100, DATABASE_ERROR, disk of the database is full"})
    void ofDatabaseWhenFaultIsKnownThenItsCodeAndProblem(String state, ApiKeyErrorCode code, String problem) {
        assertThat(ApiKeyException.ofDatabase(
                        new DataAccessResourceFailureException("failed", new SQLException("failed", state))))
                .hasMessageContaining(problem)
                .returns(code, ApiKeyException::errorCode);
    }
}
