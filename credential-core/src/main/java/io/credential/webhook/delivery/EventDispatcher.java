package io.credential.webhook.delivery;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.StoredEvent.FannedOut;

/** Stores events, and attempts at once what the caller waits for. */
final class EventDispatcher {

    private static final int MAX_EVENTS_PER_COMMIT = 100;
    private static final long MAX_BYTES_PER_COMMIT = 4L * 1024 * 1024;

    private final DispatcherOptions options;
    private final CredentialDatabase database;
    private final CallerTransaction callerTransaction;
    private final EventStore events;
    private final GroupWriter<NewEvent, StoredEvent> writer;
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
        this.writer = new GroupWriter<>(
                events::store,
                MAX_EVENTS_PER_COMMIT,
                event -> event.event().payload().bytes().length,
                MAX_BYTES_PER_COMMIT);
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
            return enqueueInCallersTransaction(event);
        }
        Claim claim = claims.next();
        StoredEvent stored = store(new NewEvent(event, claim));
        return stored.isNew()
                ? inline.attempt(claimed(event, claim, stored.deliveries()), options.dispatchWait())
                : waiting(deliveriesOfSame(event));
    }

    /** Stores an event; its deliveries are attempted in the background. */
    DispatchResult enqueue(String eventType, Object payload, DispatchOptions dispatchOptions) {
        DispatcherRules.require("options", dispatchOptions);
        Event event = event(eventType, payload, dispatchOptions);
        if (callerTransaction.isToBeJoined(dispatchOptions.independent())) {
            return enqueueInCallersTransaction(event);
        }
        StoredEvent stored = store(new NewEvent(event, null));
        wakeup.now();
        return pending(event, stored);
    }

    private DispatchResult enqueueInCallersTransaction(Event event) {
        StoredEvent stored = storeAlone(new NewEvent(event, null));
        database.afterCommit(wakeup::now);
        return pending(event, stored);
    }

    /**
     * An event with a key may have to wait for a transaction with the same key, and one in a callback after a transaction may
     * find that transaction's connection: neither is stored together with the events of others.
     */
    private StoredEvent store(NewEvent event) {
        return event.event().idempotencyKey() == null && !callerTransaction.isBound()
                ? writer.write(event)
                : storeAlone(event);
    }

    private StoredEvent storeAlone(NewEvent event) {
        return events.store(List.of(event)).get(0);
    }

    private List<Delivery> deliveriesOfSame(Event event) {
        String eventId = sameEvent(event).eventId();
        return database.read(() -> deliveries.ofEvent(eventId));
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

    private List<ClaimedDelivery> claimed(Event event, Claim claim, List<FannedOut> fannedOut) {
        int size = event.payload().bytes().length;
        Payload payload = size <= options.inlinePayloadBytes() ? event.payload() : null;
        return fannedOut.stream()
                .map(delivery -> new ClaimedDelivery(
                        delivery.deliveryId(),
                        event.eventId(),
                        delivery.endpointId(),
                        event.eventType(),
                        1,
                        event.createdAt(),
                        event.createdAt(),
                        claim,
                        delivery.audience(),
                        delivery.subscriber(),
                        size,
                        payload))
                .toList();
    }

    private DispatchResult pending(Event event, StoredEvent stored) {
        if (!stored.isNew()) {
            return waiting(deliveriesOfSame(event));
        }
        Instant createdAt = Instant.ofEpochMilli(event.createdAt());
        return waiting(stored.deliveries().stream()
                .map(delivery -> new Delivery(
                        delivery.deliveryId(),
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
                        createdAt))
                .toList());
    }

    private static DispatchResult waiting(List<Delivery> deliveries) {
        return new DispatchResult(0, 0, deliveries);
    }
}
