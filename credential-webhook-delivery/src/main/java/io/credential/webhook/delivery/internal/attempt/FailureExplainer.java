package io.credential.webhook.delivery.internal.attempt;

import org.jspecify.annotations.Nullable;

import io.credential.seal.internal.SealException;
import io.credential.webhook.delivery.internal.queue.AttemptFailure;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.http.UnsafeDestinationException;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.http.WebhookTransportException;

/**
 * Tells why an attempt failed. The sentences may be shown to the user who entered the URL, the reasons may not: they
 * tell a name that does not exist from one with an internal address.
 */
final class FailureExplainer {

    private static final int MAX_ERROR = 2048;

    private FailureExplainer() {}

    static AttemptFailure of(WebhookResponse response) {
        int status = response.status();
        boolean isRedirect = status >= 300 && status < 400 && status != 304;
        return new AttemptFailure(
                FailureReason.HTTP_STATUS,
                "HTTP " + status + (isRedirect ? ": redirects are not followed; register the new URL" : ""));
    }

    static AttemptFailure of(@Nullable Throwable failure) {
        FailureReason reason = reason(failure);
        if (failure instanceof WebhookTransportException transport) {
            return new AttemptFailure(reason, transport.phase(), message(failure));
        }
        if (failure instanceof UnsafeDestinationException) {
            return new AttemptFailure(reason, message(failure));
        }
        return new AttemptFailure(
                reason,
                reason == FailureReason.SECRET_UNREADABLE
                        ? "The secret of the endpoint cannot be opened"
                        : "The attempt failed unexpectedly");
    }

    static FailureReason reason(@Nullable Throwable failure) {
        if (failure instanceof WebhookTransportException transport) {
            return transport.reason();
        }
        if (failure instanceof UnsafeDestinationException refused) {
            return refused.reason().failure();
        }
        return failure instanceof SealException ? FailureReason.SECRET_UNREADABLE : FailureReason.UNEXPECTED;
    }

    /** The message may come from a transport of the application. */
    private static String message(Throwable failure) {
        return ResponseRecorder.storable(String.valueOf(failure.getMessage()), MAX_ERROR);
    }
}
