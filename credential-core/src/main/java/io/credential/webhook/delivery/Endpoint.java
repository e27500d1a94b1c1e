package io.credential.webhook.delivery;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A subscriber, without its secret.
 *
 * @param endpointId names it
 * @param url where its webhooks are posted to
 * @param eventTypes the events that it gets; {@code *} among them for every event; unmodifiable
 * @param audience the audience that it belongs to, null for none
 * @param payloadFormat how the bodies of its webhooks are made
 * @param createdAt when it was first registered
 * @since 0.1.0
 */
public record Endpoint(
        String endpointId,
        String url,
        List<String> eventTypes,
        @Nullable String audience,
        PayloadFormat payloadFormat,
        Instant createdAt) {

    /** The list is copied. */
    public Endpoint {
        eventTypes = List.copyOf(eventTypes);
    }
}
