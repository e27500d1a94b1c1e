package io.credential.spring.console.internal.delivery;

import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.Problem;
import io.credential.spring.web.WebhookDispatcherExceptionHandler;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Gives the pages the dispatcher, and describes its exceptions as programs are told them. */
public final class DispatcherSource {

    private static final WebhookDispatcherExceptionHandler PROBLEMS = new WebhookDispatcherExceptionHandler();

    private final DispatcherWatch watch;

    public DispatcherSource(DispatcherWatch watch) {
        this.watch = watch;
    }

    /**
     * Returns the dispatcher.
     *
     * @throws ConsoleException if it was not created
     */
    public WebhookDispatcher dispatcher() {
        return watch.dispatcher()
                .orElseThrow(() -> ConsoleException.conflict("The webhook dispatcher has not been created."));
    }

    /** Returns what to tell the operator. */
    public static Problem problem(WebhookDispatcherException exception) {
        return Problem.of(PROBLEMS.handle(exception));
    }
}
