package io.credential.spring.autoconfigure.actuate;

import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.spring.web.ApiKeyExceptionHandler;

/** Answers errors of the endpoint {@code credentials}. */
final class ApiKeyProblems extends EndpointProblems {

    private final ApiKeyExceptionHandler handler = new ApiKeyExceptionHandler();

    ApiKeyProblems() {
        super("credentials");
    }

    @Override
    ResponseEntity<ProblemDetail> handle(RuntimeException exception) {
        if (exception instanceof NotLeaderException notLeader) {
            return handler.handle(notLeader);
        }
        if (exception instanceof ApiKeyException ofKeys) {
            return handler.handle(ofKeys);
        }
        if (isOfDatabase(exception)) {
            return handler.handle(ApiKeyException.ofDatabase(exception));
        }
        throw exception;
    }
}
