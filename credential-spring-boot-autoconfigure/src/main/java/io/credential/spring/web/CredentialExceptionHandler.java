package io.credential.spring.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.storage.DatabaseFault;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * Converts exceptions of API-key registries and the webhook dispatcher in controllers to {@code
 * application/problem+json} and the stable {@code code}. To use it, add {@code
 * @Import(CredentialExceptionHandler.class)}. Errors with status 500 are also logged.
 *
 * @since 0.1.0
 */
@RestControllerAdvice
public final class CredentialExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(CredentialExceptionHandler.class);

    private static final String RETRY_AFTER_SECONDS = "5";

    /** Returns 400, 404, 409, 500 or 503, depending on the code. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> handle(ApiKeyException exception) {
        return answer(problem(status(exception.errorCode()), exception.code(), exception));
    }

    /**
     * Returns 503. If another node is the leader, {@code leader} is its id and {@code leaderUrl} its URL, as far as
     * known. A retry may succeed even without the URL: behind a load balancer, it may reach the leader.
     */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> handle(NotLeaderException exception) {
        ProblemDetail problem = problem(HttpStatus.SERVICE_UNAVAILABLE, exception.code(), exception);
        if (exception.leader() != null) {
            problem.setProperty("leader", exception.leader());
        }
        if (exception.leaderUrl() != null) {
            problem.setProperty("leaderUrl", exception.leaderUrl());
        }
        return answer(problem);
    }

    /** Returns 400, 404, 409, 413, 500 or 503, depending on the code. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> handle(WebhookDispatcherException exception) {
        return answer(problem(status(exception.errorCode()), exception.code(), exception));
    }

    private static HttpStatus status(ApiKeyErrorCode code) {
        return switch (code) {
            case BAD_OPT, MISSING_OWNER, BAD_SCOPES, BAD_METADATA -> HttpStatus.BAD_REQUEST;
            case NOT_FOUND -> HttpStatus.NOT_FOUND;
            case REVOKED, EXPIRED, ROTATION_CONFLICT, RESEAL_WINDOW_CLOSED -> HttpStatus.CONFLICT;
            case UNAVAILABLE, NOT_LEADER -> HttpStatus.SERVICE_UNAVAILABLE;
            case UNREADABLE_ROW, READ_ONLY_TRANSACTION, DATABASE_ERROR -> HttpStatus.INTERNAL_SERVER_ERROR;
        };
    }

    private static HttpStatus status(WebhookDispatcherErrorCode code) {
        return switch (code) {
            case BAD_OPTS, AUDIENCE_REQUIRED, UNSAFE_DESTINATION, UNRESOLVABLE_DESTINATION -> HttpStatus.BAD_REQUEST;
            case NOT_FOUND -> HttpStatus.NOT_FOUND;
            case ENDPOINT_CONFLICT,
                    IN_FLIGHT,
                    PAYLOAD_ERASED,
                    IDEMPOTENCY_CONFLICT,
                    FOREIGN_TRANSACTION,
                    RESEAL_WINDOW_CLOSED -> HttpStatus.CONFLICT;
            case PAYLOAD_TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
            case UNREADABLE_SECRET, DATABASE_ERROR -> HttpStatus.INTERNAL_SERVER_ERROR;
            case UNAVAILABLE -> HttpStatus.SERVICE_UNAVAILABLE;
        };
    }

    private static ProblemDetail problem(HttpStatus status, String code, RuntimeException exception) {
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

    private static ResponseEntity<ProblemDetail> answer(ProblemDetail problem) {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(problem.getStatus());
        if (problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return response.body(problem);
    }
}
