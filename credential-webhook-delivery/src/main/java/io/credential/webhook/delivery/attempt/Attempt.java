package io.credential.webhook.delivery.attempt;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.queue.AttemptFailure;
import io.credential.webhook.delivery.queue.AttemptLog;
import io.credential.webhook.delivery.queue.ClaimedDelivery;
import io.credential.webhook.delivery.queue.Payload;
import io.credential.webhook.delivery.queue.StoredResponse;

/**
 * An attempt in progress.
 *
 * @param startedAt in Unix milliseconds
 * @param requestHeaders null if there are none yet
 * @param secrets the values of the headers that the endpoint was registered with
 */
record Attempt(
        ClaimedDelivery delivery,
        Payload payload,
        long startedAt,
        long startedNanos,
        @Nullable String requestHeaders,
        Collection<String> secrets,
        AttemptObservation observation) {

    Attempt(
            ClaimedDelivery delivery,
            Payload payload,
            long startedAt,
            long startedNanos,
            AttemptObservation observation) {
        this(delivery, payload, startedAt, startedNanos, null, List.of(), observation);
    }

    Attempt with(String headers, Collection<String> values) {
        return new Attempt(delivery, payload, startedAt, startedNanos, headers, values, observation);
    }

    AttemptLog log(@Nullable StoredResponse response, @Nullable AttemptFailure failure) {
        long duration = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
        return new AttemptLog(startedAt, duration, requestHeaders, response, failure);
    }
}
