package io.credential.webhook.delivery;

import java.sql.SQLException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;

class DispatcherExceptionTests {

    @ParameterizedTest
    @CsvSource({"25006, UNAVAILABLE, server is read-only", "53100, DATABASE_ERROR, disk of the database is full"})
    void ofDatabaseWhenFaultIsKnownThenItsCodeAndProblem(
            String state, WebhookDispatcherErrorCode code, String problem) {
        assertThat(WebhookDispatcherException.ofDatabase(
                        new DataAccessResourceFailureException("failed", new SQLException("failed", state))))
                .hasMessageContaining(problem)
                .returns(code, WebhookDispatcherException::errorCode);
    }
}
