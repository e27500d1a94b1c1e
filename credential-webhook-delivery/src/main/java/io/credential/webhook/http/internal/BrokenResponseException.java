package io.credential.webhook.http.internal;

import org.apache.hc.core5.http.HttpException;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.FailureReason;

/** Thrown when the head of a response breaks a rule or a limit. The message completes a sentence about the response. */
final class BrokenResponseException extends HttpException {

    private static final long serialVersionUID = 1L;

    private final FailureReason reason;
    private final @Nullable Integer status;

    /** @param status the status line; null if there was none, or only one of an interim response */
    BrokenResponseException(FailureReason reason, @Nullable Integer status, String rule, @Nullable Throwable cause) {
        super(rule, cause);
        this.reason = reason;
        this.status = status;
    }

    FailureReason reason() {
        return reason;
    }

    @Nullable Integer status() {
        return status;
    }
}
