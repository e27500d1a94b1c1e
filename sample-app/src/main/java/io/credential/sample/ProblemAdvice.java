package io.credential.sample;

import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.DatabindException;

import io.credential.storage.DatabaseFault;
import io.credential.storage.ReadOnlyTransactionException;

/** Answers requests that Spring MVC rejects, and database outages, with problems like all other errors. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    private static final String RETRY_AFTER_SECONDS = "5";

    @ExceptionHandler({DataAccessException.class, TransactionException.class})
    ResponseEntity<ProblemDetail> databaseFailed(RuntimeException exception) {
        boolean permanent = DatabaseFault.of(exception)
                .map(DatabaseFault::isPermanent)
                .orElse(exception instanceof ReadOnlyTransactionException
                        || (exception instanceof NonTransientDataAccessException
                                && !(exception instanceof DataAccessResourceFailureException)));
        return permanent ? databaseRejects(exception) : databaseUnavailable(exception);
    }

    private static ResponseEntity<ProblemDetail> databaseRejects(RuntimeException exception) {
        LOG.error("The database rejects a statement: {}", DatabaseFault.explain(exception), exception);
        return ResponseEntity.internalServerError()
                .body(Problems.of(HttpStatus.INTERNAL_SERVER_ERROR, "The database rejects the request"));
    }

    private static ResponseEntity<ProblemDetail> databaseUnavailable(RuntimeException exception) {
        LOG.warn("The database does not answer: {}", exception.getMessage());
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .body(Problems.of(
                        HttpStatus.SERVICE_UNAVAILABLE, "The database does not answer; try again in a few seconds"));
    }

    /** Names the invalid field, never its value. */
    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException exception, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String detail = "The body must be one JSON object of the expected form, without repeated fields";
        if (exception.getCause() instanceof DatabindException cause
                && !cause.getPath().isEmpty()) {
            detail = "Unknown, repeated or of the wrong type: " + path(cause);
        }
        return handleExceptionInternal(exception, Problems.of(status, detail), headers, status, request);
    }

    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem) {
            Problems.addCode(problem);
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    private static String path(DatabindException exception) {
        return exception.getPath().stream()
                .map(Reference::getPropertyName)
                .filter(name -> name != null)
                .collect(Collectors.joining("."));
    }
}
