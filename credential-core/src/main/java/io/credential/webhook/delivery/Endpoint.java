package io.credential.webhook.delivery;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A registered endpoint, without its secret and headers.
 *
 * @param endpointId its id
 * @param url the URL that webhooks are posted to
 * @param eventTypes the event types it subscribes to; {@code *} stands for all; unmodifiable
 * @param audience its audience; null for none
 * @param payloadFormat the format of the bodies
 * @param name display name; null for none
 * @param metadata a JSON object; unmodifiable
 * @param createdAt when it was first registered
 * @param pausedAt when it was paused; null if it is not paused
 * @param pauseReason why it is paused; null if it is not
 * @since 0.1.0
 */
public record Endpoint(
        String endpointId,
        String url,
        List<String> eventTypes,
        @Nullable String audience,
        PayloadFormat payloadFormat,
        @Nullable String name,
        Map<String, Object> metadata,
        Instant createdAt,
        @Nullable Instant pausedAt,
        @Nullable PauseReason pauseReason) {

    /** The list is copied, and so is the map, but not the values in it. */
    public Endpoint {
        eventTypes = List.copyOf(eventTypes);
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }
}
