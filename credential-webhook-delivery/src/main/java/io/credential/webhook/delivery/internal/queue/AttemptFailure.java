package io.credential.webhook.delivery.internal.queue;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;

/**
 * Why an attempt failed.
 *
 * @param phase null if it did not get as far as the first one, or if it is unknown
 * @param error a sentence for people
 */
public record AttemptFailure(FailureReason reason, @Nullable FailurePhase phase, String error) {

    /** Creates a failure in the phase of its reason. */
    public AttemptFailure(FailureReason reason, String error) {
        this(reason, reason.phase(), error);
    }
}
