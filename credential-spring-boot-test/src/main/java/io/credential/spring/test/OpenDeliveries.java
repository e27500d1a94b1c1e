package io.credential.spring.test;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.WebhookDispatcher;

/**
 * Finds what a receiver may still receive.
 *
 * @param port the port of the receiver, which has several names, such as localhost
 */
record OpenDeliveries(WebhookDispatcher dispatcher, int port) {

    /** Reads each delivery once: in two reads, it could be missed while it changes. */
    List<Delivery> find(String eventType) {
        Set<String> elsewhere = dispatcher.listEndpoints().stream()
                .filter(endpoint -> URI.create(endpoint.url()).getPort() != port)
                .map(Endpoint::endpointId)
                .collect(Collectors.toSet());
        List<Delivery> open = new ArrayList<>();
        DeliveryQuery query = DeliveryQuery.all().withEventType(eventType).withLimit(DeliveryQuery.MAX_LIMIT);
        String cursor;
        do {
            DeliveryPage page = dispatcher.deliveries().search(query);
            page.deliveries().stream()
                    .filter(delivery -> !elsewhere.contains(delivery.endpointId()))
                    .filter(delivery -> delivery.status() == DeliveryStatus.PENDING
                            || delivery.status() == DeliveryStatus.IN_FLIGHT)
                    .forEach(open::add);
            cursor = page.nextCursor();
            if (cursor != null) {
                query = query.after(cursor);
            }
        } while (cursor != null);
        return open;
    }
}
