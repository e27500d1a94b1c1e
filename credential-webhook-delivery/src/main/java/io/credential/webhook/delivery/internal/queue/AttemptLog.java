package io.credential.webhook.delivery.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * An attempt as it is stored.
 *
 * @param startedAt in Unix milliseconds
 * @param duration in milliseconds
 * @param requestHeaders {@linkplain HeaderText as text}; null if the attempt failed before they were made
 * @param response null if there was no response
 * @param failure null if the attempt succeeded
 */
public record AttemptLog(
        long startedAt,
        long duration,
        @Nullable String requestHeaders,
        @Nullable StoredResponse response,
        @Nullable AttemptFailure failure) {

    /** Returns when it ended, in Unix milliseconds. */
    public long endedAt() {
        return startedAt + duration;
    }

    /** Returns the HTTP status; null if there was no response. */
    public @Nullable Integer responseStatus() {
        return response == null ? null : response.status();
    }

    /** Returns the names of response headers with their values; null if there are none. */
    @Nullable String responseHeaders() {
        return response == null ? null : response.headers();
    }

    @Nullable String location() {
        return response == null ? null : response.location();
    }

    @Nullable String responseBody() {
        return response == null ? null : response.body();
    }

    /** Returns the sentence of the failure; null if the attempt succeeded. */
    public @Nullable String error() {
        return failure == null ? null : failure.error();
    }

    @Nullable String phase() {
        return failure == null || failure.phase() == null
                ? null
                : failure.phase().text();
    }
}
