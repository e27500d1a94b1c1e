package io.credential.webhook.delivery.internal.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.credential.audit.internal.AuditTrail;
import io.credential.observation.CredentialObservation;
import io.credential.observation.WebhookDispatchObservationContext;
import io.credential.observation.WebhookDispatchObservationConvention;
import io.credential.observation.internal.GuardedObservation;
import io.credential.seal.internal.Keyring;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.engine.DeliveryEngine;
import io.credential.webhook.delivery.internal.outbox.StoredEvent.FannedOut;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.DispatcherContext;

/** Stores events, and has their deliveries attempted. Thread-safe. */
public final class EventDispatcher {

    private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);
    private static final WebhookDispatchObservationConvention OBSERVATION_CONVENTION =
            new WebhookDispatchObservationConvention();
    private static final int MAX_EVENTS_PER_COMMIT = 100;
    private static final long MAX_BYTES_PER_COMMIT = 4L * 1024 * 1024;

    private final DispatcherContext context;
    private final EventFactory factory;
    private final CallerTransaction callerTransaction;
    private final EventStore events;
    private final GroupWriter<NewEvent, StoredEvent> writer;
    private final DeliveryEngine engine;
    private final EarlierDeliveries earlier;
    private final AuditTrail audit;

    /**
     * @param audit of endpoints
     * @param deliveriesOfEvent reads the deliveries of a stored event
     * @param keyring for the hashes of payloads
     */
    public EventDispatcher(
            DispatcherContext context,
            DeliveryEngine engine,
            AuditTrail audit,
            Function<String, List<Delivery>> deliveriesOfEvent,
            Keyring keyring,
            EventIdGenerator ids) {
        PayloadDigest digest = new PayloadDigest(keyring);
        this.context = context;
        this.factory = new EventFactory(context.options(), digest, ids, context.clock());
        this.callerTransaction = new CallerTransaction(context.database());
        this.events = EventStore.of(context.database(), context.tables(), engine::fullEndpoints, context.random());
        this.writer = new GroupWriter<>(
                events::storeAll,
                MAX_EVENTS_PER_COMMIT,
                event -> event.event().payload().bytes().length,
                MAX_BYTES_PER_COMMIT);
        this.engine = engine;
        this.earlier = new EarlierDeliveries(events, digest, deliveriesOfEvent);
        this.audit = audit;
    }

    /** Stores an event, and waits for the first attempts unless it joins a transaction of the caller. */
    public DispatchResult dispatch(String eventType, Object payload, DispatchOptions dispatchOptions) {
        return observed("dispatch", eventType, traceParent -> {
            Event event = factory.event(eventType, payload, dispatchOptions, traceParent);
            if (callerTransaction.isToBeJoined(dispatchOptions.independent())) {
                return enqueueInCallersTransaction(event);
            }
            NewEvent newEvent = new NewEvent(event, engine.claims().reserve().orElse(null));
            StoredEvent stored = store(newEvent);
            if (!stored.isNew()) {
                return waiting(earlier.of(event));
            }
            noteDue(event, stored);
            return engine.awaited()
                    .deliver(
                            reserved(newEvent, stored),
                            pending(event, stored),
                            context.options().dispatchWait());
        });
    }

    /** Stores an event; its deliveries are attempted in the background. */
    public DispatchResult enqueue(String eventType, Object payload, DispatchOptions dispatchOptions) {
        return observed("enqueue", eventType, traceParent -> {
            Event event = factory.event(eventType, payload, dispatchOptions, traceParent);
            if (callerTransaction.isToBeJoined(dispatchOptions.independent())) {
                return enqueueInCallersTransaction(event);
            }
            NewEvent newEvent = new NewEvent(
                    event, engine.isStarted() ? engine.claims().reserve().orElse(null) : null);
            StoredEvent stored = store(newEvent);
            start(newEvent, stored);
            return shown(newEvent, stored);
        });
    }

    /**
     * Stores a test event for one endpoint, and waits for its attempt unless it joins a transaction of the caller or there is no
     * capacity.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found}
     */
    public Delivery sendTest(String endpointId, Duration longestWait) {
        return send(endpointId, null, factory.test(), longestWait);
    }

    /** Does the same for an endpoint of an audience. */
    public Delivery sendTest(String endpointId, String audience, Duration longestWait) {
        return send(endpointId, audience, factory.test(), longestWait);
    }

    /**
     * Does the same with an event that the caller chooses.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/not-found}, or if the event must not be dispatched
     */
    public Delivery sendTest(String endpointId, String eventType, Object payload, Duration longestWait) {
        return send(endpointId, null, factory.test(eventType, payload), longestWait);
    }

    private Delivery send(String endpointId, @Nullable String audience, Event event, Duration longestWait) {
        boolean joins = callerTransaction.isToBeJoined(false);
        NewEvent newEvent =
                new NewEvent(event, joins ? null : engine.claims().reserve().orElse(null));
        FannedOut delivery = storeFor(endpointId, audience, newEvent);
        context.database()
                .afterCommit(audit.successReport(
                        "webhook.endpoint.test",
                        endpointId,
                        Map.of("eventType", event.eventType(), "deliveryId", delivery.deliveryId())));
        Claim claim = newEvent.claim();
        if (claim != null) {
            return engine.awaited().deliverOne(claimed(event, claim, delivery, true), longestWait);
        }
        StoredEvent stored = new StoredEvent(true, List.of(delivery));
        if (joins) {
            AfterTransaction after = new AfterTransaction(newEvent);
            after.stored = stored;
            TransactionSynchronizationManager.registerSynchronization(after);
        } else {
            noteDue(event, stored);
        }
        return pending(event, delivery);
    }

    private FannedOut storeFor(String endpointId, @Nullable String audience, NewEvent newEvent) {
        try {
            return Optional.of(endpointId)
                    .filter(DispatcherRules::isName)
                    .flatMap(id -> events.storeFor(id, audience, newEvent))
                    .orElseThrow(() -> new WebhookDispatcherException(
                            WebhookDispatcherErrorCode.NOT_FOUND, "No endpoint has this id"));
        } catch (WebhookDispatcherException e) {
            throw e; // nothing was stored
        } catch (RuntimeException | Error e) {
            lost(newEvent);
            throw e;
        }
    }

    /** @param work gets the {@code traceparent} of the dispatch; null if it is not traced */
    private DispatchResult observed(
            String operation, @Nullable String eventType, Function<@Nullable String, DispatchResult> work) {
        return GuardedObservation.startInScope(
                        CredentialObservation.WEBHOOK_DISPATCH,
                        OBSERVATION_CONVENTION,
                        new WebhookDispatchObservationContext(operation, String.valueOf(eventType)),
                        context.observations())
                .run(
                        dispatch -> {
                            DispatchResult result = work.apply(dispatch.traceParent());
                            dispatch.stored();
                            return result;
                        },
                        EventDispatcher::failed);
    }

    private static void failed(GuardedObservation<WebhookDispatchObservationContext> observation, Throwable failure) {
        if (failure instanceof WebhookDispatcherException rejection) {
            observation.context().rejected(rejection.code());
        } else {
            observation.context().failed();
            observation.error(failure);
        }
    }

    private DispatchResult enqueueInCallersTransaction(Event event) {
        boolean mayReserve = engine.isStarted() && events.detectsSavepoints();
        NewEvent newEvent = new NewEvent(
                event, mayReserve ? engine.claims().reserveInTransaction().orElse(null) : null);
        AfterTransaction after = new AfterTransaction(newEvent);
        // Before the event is stored: the reservation must end even if that fails.
        TransactionSynchronizationManager.registerSynchronization(after);
        StoredEvent stored = events.store(newEvent);
        after.stored = stored;
        return shown(newEvent, stored);
    }

    /** Reserved deliveries may be stored, but this node will not attempt them. */
    private void lost(NewEvent event) {
        Claim claim = event.claim();
        if (claim != null) {
            engine.lost(claim);
        }
    }

    /** Attempts the reserved deliveries, and leaves the others to the background work. */
    private void start(NewEvent newEvent, StoredEvent stored) {
        engine.deliver(reserved(newEvent, stored));
        noteDue(newEvent.event(), stored);
    }

    private void noteDue(Event event, StoredEvent stored) {
        if (stored.isNew() && stored.deliveries().isEmpty()) {
            LOG.debug(
                    "The event {} is sent to nobody: no endpoint of its audience subscribes to {}",
                    event.eventId(),
                    event.eventType());
        }
        List<String> due = stored.deliveries().stream()
                .filter(delivery ->
                        !delivery.reserved() && !delivery.subscriber().paused())
                .map(FannedOut::endpointId)
                .toList();
        engine.signals().due(due, event.createdAt());
    }

    /**
     * Stores an event, if possible together with those of other callers. An event with a key may have to wait for a
     * transaction with the same key, and an event of a callback after a transaction may still get its connection: both are
     * stored alone.
     */
    private StoredEvent store(NewEvent event) {
        try {
            return event.event().idempotencyKey() == null && !callerTransaction.isBound()
                    ? writer.write(event)
                    : events.store(event);
        } catch (DataIntegrityViolationException e) {
            throw e; // nothing was stored
        } catch (RuntimeException | Error e) {
            lost(event);
            throw e;
        }
    }

    private List<ClaimedDelivery> reserved(NewEvent newEvent, StoredEvent stored) {
        Claim claim = newEvent.claim();
        return claim == null
                ? List.of()
                : stored.deliveries().stream()
                        .filter(FannedOut::reserved)
                        .map(delivery -> claimed(newEvent.event(), claim, delivery, false))
                        .toList();
    }

    private ClaimedDelivery claimed(Event event, Claim claim, FannedOut delivery, boolean requested) {
        int size = event.payload().bytes().length;
        return new ClaimedDelivery(
                delivery.deliveryId(),
                event.eventId(),
                delivery.endpointId(),
                event.eventType(),
                1,
                0,
                event.createdAt(),
                event.createdAt(),
                claim,
                requested,
                delivery.audience(),
                delivery.subscriber(),
                size,
                size <= context.options().inlinePayloadBytes() ? event.payload() : null,
                event.traceParent());
    }

    /** Shows all deliveries as pending: the reserved ones have not been sent yet. */
    private DispatchResult shown(NewEvent newEvent, StoredEvent stored) {
        Event event = newEvent.event();
        return waiting(
                stored.isNew()
                        ? stored.deliveries().stream()
                                .map(delivery -> pending(event, delivery))
                                .toList()
                        : earlier.of(event));
    }

    private static List<Delivery> pending(Event event, StoredEvent stored) {
        return stored.deliveries().stream()
                .filter(delivery -> !delivery.reserved())
                .map(delivery -> pending(event, delivery))
                .toList();
    }

    private static Delivery pending(Event event, FannedOut delivery) {
        Instant createdAt = Instant.ofEpochMilli(event.createdAt());
        return new Delivery(
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
                null,
                createdAt,
                null);
    }

    private static DispatchResult waiting(List<Delivery> deliveries) {
        return new DispatchResult(0, 0, deliveries);
    }

    /** Has the deliveries of an event attempted once the caller's transaction has committed. */
    private final class AfterTransaction implements TransactionSynchronization {

        private final NewEvent event;
        private @Nullable StoredEvent stored;
        private boolean isOfThisTransaction;

        AfterTransaction(NewEvent event) {
            this.event = event;
        }

        @Override
        public void beforeCompletion() {
            isOfThisTransaction = true;
        }

        /** Not in {@code afterCommit}, which is skipped if another callback fails. */
        @Override
        public void afterCompletion(int status) {
            try {
                StoredEvent result = stored;
                if (result == null || status == STATUS_ROLLED_BACK) {
                    return;
                }
                if (status == STATUS_COMMITTED && isOfThisTransaction) {
                    start(event, result);
                } else {
                    // The outcome is unknown, or a callback after the commit dispatched the event, and commits it
                    // later.
                    lost(event);
                    noteDue(event.event(), result);
                }
            } finally {
                if (event.claim() != null) {
                    engine.claims().endReservation();
                }
            }
        }
    }
}
