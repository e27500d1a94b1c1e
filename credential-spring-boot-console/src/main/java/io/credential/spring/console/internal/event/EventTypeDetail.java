package io.credential.spring.console.internal.event;

import java.util.List;

import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.event.WebhookEventType;

/**
 * An event type with the endpoints that subscribe to it.
 *
 * @param schema its JSON Schema
 * @param example an example of its JSON
 * @param subscribers those among the endpoints that were examined
 * @param areAll whether all endpoints were examined
 */
public record EventTypeDetail(
        WebhookEventType type, String schema, String example, List<Endpoint> subscribers, boolean areAll) {

    /** How many endpoints are shown at most. */
    public static final int SHOWN = 50;

    /** Returns the endpoints that are shown. */
    public List<Endpoint> shown() {
        return subscribers.subList(0, Math.min(SHOWN, subscribers.size()));
    }
}
