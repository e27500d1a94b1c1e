package io.credential.webhook.delivery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.storage.CredentialDatabase;

/** Stores events, and attempts at once what the caller waits for. */
final class Dispatching {

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

    Dispatching(
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
    DispatchResult dispatch(String eventType, Object payload, DispatchOptions wishes) {
        Event event = event(eventType, payload, wishes);
        if (callerTransaction.isToBeJoined(wishes.independent())) {
            return store(event, true);
        }
        Claim claim = claims.next();
        Stored stored = database.inTransaction(() -> insert(event, claim));
        return stored.earlier() != null ? waiting(stored.earlier()) : inline.attempt(claimed(event, claim, stored));
    }

    /** Stores an event; its deliveries are attempted in the background. */
    DispatchResult enqueue(String eventType, Object payload, DispatchOptions wishes) {
        Event event = event(eventType, payload, wishes);
        return store(event, callerTransaction.isToBeJoined(wishes.independent()));
    }

    private DispatchResult store(Event event, boolean inCallersTransaction) {
        Stored stored = database.inTransaction(() -> insert(event, null));
        if (inCallersTransaction) {
            database.afterCommit(wakeup::now);
        } else {
            wakeup.now();
        }
        return waiting(stored.earlier() != null ? stored.earlier() : pending(event, stored.endpoints()));
    }

    private Stored insert(Event event, @Nullable Claim claim) {
        if (events.insert(event)) {
            Map<String, String> endpoints = events.fanOut(event, claim);
            Map<String, Subscriber> subscribers =
                    claim == null || endpoints.isEmpty() ? Map.of() : events.subscribers(event);
            return new Stored(endpoints, subscribers, null);
        }
        return new Stored(
                Map.of(), Map.of(), deliveries.ofEvent(sameEvent(event).eventId()));
    }

    private Event sameEvent(Event event) {
        return events.findByKey(String.valueOf(event.idempotencyKey()))
                .filter(event::isSameAs)
                .orElseThrow(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.IDEMPOTENCY_CONFLICT,
                        "The idempotency key was used before for an event with another type, audience or payload"));
    }

    private Event event(String eventType, Object payload, DispatchOptions wishes) {
        DispatcherRules.requireEventType(eventType);
        long now = clock.millis();
        return new Event(
                ids.next(now),
                eventType,
                wishes.audience(),
                wishes.idempotencyKey(),
                Payload.of(payload, options.maxPayloadBytes()),
                now);
    }

    private static List<ClaimedDelivery> claimed(Event event, Claim claim, Stored stored) {
        List<ClaimedDelivery> claimed = new ArrayList<>();
        for (String deliveryId : EventStore.sorted(stored.endpoints())) {
            String endpointId = String.valueOf(stored.endpoints().get(deliveryId));
            claimed.add(new ClaimedDelivery(
                    deliveryId,
                    event.eventId(),
                    endpointId,
                    event.eventType(),
                    1,
                    event.createdAt(),
                    event.createdAt(),
                    claim,
                    stored.subscribers().get(endpointId),
                    event.payload()));
        }
        return claimed;
    }

    private static List<Delivery> pending(Event event, Map<String, String> endpoints) {
        List<Delivery> pending = new ArrayList<>();
        Instant createdAt = Instant.ofEpochMilli(event.createdAt());
        for (String deliveryId : EventStore.sorted(endpoints)) {
            pending.add(new Delivery(
                    deliveryId,
                    event.eventId(),
                    String.valueOf(endpoints.get(deliveryId)),
                    event.eventType(),
                    DeliveryStatus.PENDING,
                    0,
                    createdAt,
                    null,
                    null,
                    null,
                    null,
                    createdAt));
        }
        return pending;
    }

    private static DispatchResult waiting(List<Delivery> deliveries) {
        return new DispatchResult(0, 0, deliveries);
    }

    /**
     * @param endpoints by delivery
     * @param earlier the deliveries of the first dispatch under the same idempotency key; null when this is the first
     */
    private record Stored(
            Map<String, String> endpoints,
            Map<String, Subscriber> subscribers,
            @Nullable List<Delivery> earlier) {}
}
