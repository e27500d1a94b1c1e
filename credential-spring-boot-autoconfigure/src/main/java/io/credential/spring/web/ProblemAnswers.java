package io.credential.spring.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

import io.credential.storage.DatabaseFault;

/** Creates the answers of {@link CredentialExceptionHandler}, and logs those with status 500. */
final class ProblemAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialExceptionHandler.class);

    private static final String RETRY_AFTER_SECONDS = "5";

    private ProblemAnswers() {}

    static ProblemDetail problem(HttpStatus status, String code, RuntimeException exception) {
        if (status == HttpStatus.INTERNAL_SERVER_ERROR) {
            LOG.error("{}: {}", code, exception.getMessage(), exception);
        } else if (DatabaseFault.of(exception).isPresent()) { // it has a remedy, though a retry may succeed
            LOG.warn("{}: {}", code, exception.getMessage(), exception);
        }
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, exception.getMessage());
        problem.setTitle(status.getReasonPhrase());
        problem.setProperty("code", code);
        return problem;
    }

    static ResponseEntity<ProblemDetail> answer(ProblemDetail problem) {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(problem.getStatus());
        if (problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return response.body(problem);
    }
}
