package io.credential.webhook.delivery;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One page of endpoints.
 *
 * @param endpoints in the order of their ids, without their secrets and headers; unmodifiable
 * @param nextCursor the cursor of the next page; null on the last page
 * @since 0.1.0
 */
public record EndpointPage(
        List<Endpoint> endpoints, @Nullable String nextCursor) {

    public EndpointPage {
        endpoints = List.copyOf(endpoints);
    }
}
