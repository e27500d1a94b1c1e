package io.credential.spring.web;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;

/**
 * Converts exceptions of API-key registries; the part of {@link CredentialExceptionHandler} for applications with API keys.
 *
 * @since 0.1.0
 */
@RestControllerAdvice
@ConditionalOnClass(ApiKeyException.class)
public final class ApiKeyExceptionHandler {

    /** Returns 400, 404, 409, 500 or 503, depending on the code. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> handle(ApiKeyException exception) {
        return ProblemAnswers.answer(
                ProblemAnswers.problem(status(exception.errorCode()), exception.code(), exception));
    }

    /**
     * Returns 503. If another node is the leader, {@code leader} is its id and {@code leaderUrl} its URL, as far as
     * known. A retry may succeed even without the URL: behind a load balancer, it may reach the leader.
     */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> handle(NotLeaderException exception) {
        ProblemDetail problem = ProblemAnswers.problem(HttpStatus.SERVICE_UNAVAILABLE, exception.code(), exception);
        if (exception.leader() != null) {
            problem.setProperty("leader", exception.leader());
        }
        if (exception.leaderUrl() != null) {
            problem.setProperty("leaderUrl", exception.leaderUrl());
        }
        return ProblemAnswers.answer(problem);
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
}
