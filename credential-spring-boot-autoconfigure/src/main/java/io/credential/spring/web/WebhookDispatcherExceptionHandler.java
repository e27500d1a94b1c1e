package io.credential.spring.web;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * Converts exceptions of the webhook dispatcher; the part of {@link CredentialExceptionHandler} for applications with the
 * dispatcher.
 *
 * @since 0.1.0
 */
@RestControllerAdvice
@ConditionalOnClass(WebhookDispatcherException.class)
public final class WebhookDispatcherExceptionHandler {

    /** Returns 400, 404, 409, 413, 500 or 503, depending on the code. */
    @ExceptionHandler
    public ResponseEntity<ProblemDetail> handle(WebhookDispatcherException exception) {
        return ProblemAnswers.answer(
                ProblemAnswers.problem(status(exception.errorCode()), exception.code(), exception));
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
}
