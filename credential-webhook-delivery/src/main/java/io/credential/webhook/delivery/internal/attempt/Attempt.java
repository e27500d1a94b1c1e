package io.credential.webhook.delivery.internal.attempt;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.queue.AttemptFailure;
import io.credential.webhook.delivery.internal.queue.AttemptLog;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.StoredResponse;

/**
 * An attempt that has ended.
 *
 * @param startedAt in Unix milliseconds
 * @param duration in milliseconds
 * @param requestHeaders as they are stored; null if there were none yet
 * @param secrets the values of the headers that the endpoint was registered with
 */
public record Attempt(
        ClaimedDelivery delivery,
        long startedAt,
        long duration,
        @Nullable String requestHeaders,
        Collection<String> secrets) {

    AttemptLog log(@Nullable StoredResponse response, @Nullable AttemptFailure failure) {
        return new AttemptLog(startedAt, duration, requestHeaders, response, failure);
    }
}
