package io.credential.webhook.delivery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

import org.jspecify.annotations.Nullable;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.EventStore.FannedOut;

/** Stores events, and attempts at once what the caller waits for. */
final class EventDispatcher {

    private final DispatcherOptions options;
    private final CredentialDatabase database;
    private final CallerTransaction callerTransaction;
    private final EventStore events;
    private final JdbcDeliveryLog deliveries;
    private final EventIds ids;
    private final DeliveryClaims claims;
    private final InlineAttempts inline;
    private final Wakeup wakeup;
    private final InstantSource clock;

    EventDispatcher(
            DispatcherOptions options,
            CredentialDatabase database,
            EventStore events,
            JdbcDeliveryLog deliveries,
            EventIds ids,
            DeliveryClaims claims,
            InlineAttempts inline,
            Wakeup wakeup,
            InstantSource clock) {
        this.options = options;
        this.database = database;
        this.callerTransaction = new CallerTransaction(database);
        this.events = events;
        this.deliveries = deliveries;
        this.ids = ids;
        this.claims = claims;
        this.inline = inline;
        this.wakeup = wakeup;
        this.clock = clock;
    }

    /** Stores an event and attempts its deliveries, unless a transaction of the caller decides whether there is one. */
    DispatchResult dispatch(String eventType, Object payload, DispatchOptions dispatchOptions) {
        DispatcherRules.require("options", dispatchOptions);
        Event event = event(eventType, payload, dispatchOptions);
        if (callerTransaction.isToBeJoined(dispatchOptions.independent())) {
            return store(event, true);
        }
        Claim claim = claims.next();
        Stored stored = database.inTransaction(() -> insert(event, claim));
        return stored.earlier() != null
                ? waiting(stored.earlier())
                : inline.attempt(claimed(event, claim, stored), options.dispatchWait());
    }

    /** Stores an event; its deliveries are attempted in the background. */
    DispatchResult enqueue(String eventType, Object payload, DispatchOptions dispatchOptions) {
        DispatcherRules.require("options", dispatchOptions);
        Event event = event(eventType, payload, dispatchOptions);
        return store(event, callerTransaction.isToBeJoined(dispatchOptions.independent()));
    }

    private DispatchResult store(Event event, boolean inCallersTransaction) {
        Stored stored = database.inTransaction(() -> insert(event, null));
        if (inCallersTransaction) {
            database.afterCommit(wakeup::now);
        } else {
            wakeup.now();
        }
        return waiting(stored.earlier() != null ? stored.earlier() : pending(event, stored.deliveries()));
    }

    private Stored insert(Event event, @Nullable Claim claim) {
        if (events.insert(event)) {
            SortedMap<String, FannedOut> fannedOut = events.fanOut(event, claim);
            Map<String, Subscriber> subscribers =
                    claim == null || fannedOut.isEmpty() ? Map.of() : events.subscribers(event);
            return new Stored(fannedOut, subscribers, null);
        }
        return new Stored(
                Collections.emptySortedMap(),
                Map.of(),
                deliveries.ofEvent(sameEvent(event).eventId()));
    }

    private Event sameEvent(Event event) {
        // Without a key there is nothing that an event could be the same as, and it would have been stored.
        return events.findByKey(Objects.requireNonNull(event.idempotencyKey()))
                .filter(event::isSameAs)
                .orElseThrow(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.IDEMPOTENCY_CONFLICT,
                        "The idempotency key was used before for an event with another type, audience or payload"));
    }

    private Event event(String eventType, Object payload, DispatchOptions dispatchOptions) {
        DispatcherRules.requireEventType(eventType);
        if (options.requireAudience() && dispatchOptions.audience() == null) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    "audience is required, and this event has none: without one it would reach the endpoints of all"
                            + " audiences. Dispatch it with DispatchOptions.none().withAudience(..)");
        }
        long now = clock.millis();
        return new Event(
                ids.next(now),
                eventType,
                dispatchOptions.audience(),
                dispatchOptions.idempotencyKey(),
                Payload.of(payload, options.maxPayloadBytes()),
                now);
    }

    private List<ClaimedDelivery> claimed(Event event, Claim claim, Stored stored) {
        List<ClaimedDelivery> claimed = new ArrayList<>();
        int size = event.payload().bytes().length;
        Payload payload = size <= options.inlinePayloadBytes() ? event.payload() : null;
        stored.deliveries()
                .forEach((deliveryId, delivery) -> claimed.add(new ClaimedDelivery(
                        deliveryId,
                        event.eventId(),
                        delivery.endpointId(),
                        event.eventType(),
                        1,
                        event.createdAt(),
                        event.createdAt(),
                        claim,
                        delivery.audience(),
                        stored.subscribers().get(delivery.endpointId()),
                        size,
                        payload)));
        return claimed;
    }

    private static List<Delivery> pending(Event event, SortedMap<String, FannedOut> deliveries) {
        List<Delivery> pending = new ArrayList<>();
        Instant createdAt = Instant.ofEpochMilli(event.createdAt());
        deliveries.forEach((deliveryId, delivery) -> pending.add(new Delivery(
                deliveryId,
                event.eventId(),
                delivery.endpointId(),
                event.eventType(),
                DeliveryStatus.PENDING,
                0,
                createdAt,
                null,
                null,
                null,
                null,
                createdAt)));
        return pending;
    }

    private static DispatchResult waiting(List<Delivery> deliveries) {
        return new DispatchResult(0, 0, deliveries);
    }

    /**
     * @param deliveries by their ids, in the order of these
     * @param earlier the deliveries of the first dispatch under the same idempotency key; null when this is the first
     */
    private record Stored(
            SortedMap<String, FannedOut> deliveries,
            Map<String, Subscriber> subscribers,
            @Nullable List<Delivery> earlier) {}
}
