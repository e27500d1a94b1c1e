package io.credential.webhook.delivery.internal.outbox;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Finds the deliveries for an event that was not stored, or says why it was rejected. Thread-safe. */
final class EarlierDeliveries {

    private final EventStore events;
    private final PayloadDigest digest;
    private final Function<String, List<Delivery>> deliveriesOfEvent;

    /** @param deliveriesOfEvent reads the deliveries of a stored event */
    EarlierDeliveries(EventStore events, PayloadDigest digest, Function<String, List<Delivery>> deliveriesOfEvent) {
        this.events = events;
        this.digest = digest;
        this.deliveriesOfEvent = deliveriesOfEvent;
    }

    /**
     * Returns the deliveries of the same event, which was stored under the same idempotency key.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/idempotency-conflict} if another event was stored
     *     under the key, {@code webhook-dispatcher/audience-required} if none was
     */
    List<Delivery> of(Event event) {
        String key = event.idempotencyKey();
        Optional<EarlierEvent> earlier = key == null ? Optional.empty() : events.findByKey(key);
        if (earlier.isEmpty() && event.avoidsAudiences()) {
            throw audienceRequired(event);
        }
        return earlier.filter(found -> found.isSameAs(event, digest))
                .map(found -> deliveriesOfEvent.apply(found.eventId()))
                .orElseThrow(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.IDEMPOTENCY_CONFLICT,
                        "The idempotency key was used before for an event with another type, audience or payload"));
    }

    private static WebhookDispatcherException audienceRequired(Event event) {
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.AUDIENCE_REQUIRED,
                "The event " + event.eventType() + " names no audience, but an endpoint that subscribes to it has one."
                        + " Name the audience with DispatchOptions.withAudience(..), or dispatch the event to the"
                        + " endpoints of all audiences with DispatchOptions.toEveryAudience()");
    }
}
