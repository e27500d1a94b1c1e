package io.credential.spring.console.internal.delivery;

import io.credential.spring.console.internal.web.Problem;
import io.credential.spring.web.WebhookDispatcherExceptionHandler;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Describes exceptions of the dispatcher as programs are told them. */
public final class DispatcherProblems {

    private static final WebhookDispatcherExceptionHandler HANDLER = new WebhookDispatcherExceptionHandler();

    private DispatcherProblems() {}

    /** Returns what to tell the operator. */
    public static Problem of(WebhookDispatcherException exception) {
        return Problem.of(HANDLER.handle(exception));
    }
}
