package io.credential.webhook.delivery.internal.queue;

import org.jspecify.annotations.Nullable;

/**
 * A response, or as much of it as arrived, as it is stored.
 *
 * @param status the HTTP status
 * @param headers {@linkplain HeaderText as text}, without secrets; null if none arrived
 * @param location the {@code Location} of a redirect; null if there was none
 * @param body the beginning of the body; null if none arrived
 */
public record StoredResponse(
        int status,
        @Nullable String headers,
        @Nullable String location,
        @Nullable String body) {}
