package io.credential.webhook.delivery.internal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * The names of the headers that describe a delivery, each empty if requests do not carry it, and the {@code User-Agent}.
 *
 * @param userAgent empty for the default, {@code credential/} and the version
 */
public record RequestHeaders(String deliveryId, String eventId, String eventType, String attempt, String userAgent) {

    public static final String DELIVERY_ID = "X-Webhook-Delivery-Id";
    public static final String EVENT_ID = "X-Webhook-Event-Id";
    public static final String EVENT_TYPE = "X-Webhook-Event-Type";
    public static final String ATTEMPT = "X-Webhook-Attempt";

    /** Returns what requests carry by default. */
    public static RequestHeaders defaults() {
        return new RequestHeaders(DELIVERY_ID, EVENT_ID, EVENT_TYPE, ATTEMPT, "");
    }

    /** Returns the names by their options, in the order in which they are sent. */
    public Map<String, String> byOption() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("headers.deliveryId", deliveryId);
        names.put("headers.eventId", eventId);
        names.put("headers.eventType", eventType);
        names.put("headers.attempt", attempt);
        return names;
    }

    /** Throws {@link WebhookDispatcherException} that names the option, if one is invalid or two have the same name. */
    void requireValid(String signatureHeader) {
        HeaderRules.requireUserAgent("userAgent", userAgent);
        List<String> others = new ArrayList<>(List.of(signatureHeader));
        byOption().forEach((option, name) -> others.add(HeaderRules.requireDeliveryHeader(option, name, others)));
    }
}
