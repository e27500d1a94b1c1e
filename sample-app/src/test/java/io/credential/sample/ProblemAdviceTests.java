package io.credential.sample;

import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.UncategorizedSQLException;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemAdviceTests {

    @Test
    void databaseWhenUnavailableThen503WithRetryAfter() {
        ResponseEntity<ProblemDetail> answer =
                new ProblemAdvice().databaseFailed(new DataAccessResourceFailureException("no connection"));

        assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("5");
    }

    @Test
    void databaseWhenItRejectsThen500WithoutRetryAfter() {
        ResponseEntity<ProblemDetail> answer = new ProblemAdvice()
                .databaseFailed(new DataAccessResourceFailureException("failed", new SQLException("full", "53100")));

        assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
        assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isNull();
    }

    @Test
    void databaseWhenServerIsReadOnlyThen503() {
        ResponseEntity<ProblemDetail> answer = new ProblemAdvice()
                .databaseFailed(new UncategorizedSQLException("insert", null, new SQLException("read-only", "25006")));

        assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
    }
}
