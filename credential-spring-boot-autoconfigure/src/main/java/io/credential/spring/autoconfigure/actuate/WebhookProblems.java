package io.credential.spring.autoconfigure.actuate;

import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

import io.credential.spring.web.WebhookDispatcherExceptionHandler;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Answers errors of the endpoint {@code webhooks}. */
final class WebhookProblems extends EndpointProblems {

    private final WebhookDispatcherExceptionHandler handler = new WebhookDispatcherExceptionHandler();

    WebhookProblems() {
        super("webhooks");
    }

    @Override
    ResponseEntity<ProblemDetail> handle(RuntimeException exception) {
        if (exception instanceof WebhookDispatcherException ofDispatcher) {
            return handler.handle(ofDispatcher);
        }
        if (isOfDatabase(exception)) {
            return handler.handle(WebhookDispatcherException.ofDatabase(exception));
        }
        throw exception;
    }
}
