package io.credential.webhook.delivery.internal.outbox;

import java.time.InstantSource;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.DispatcherOptions;
import io.credential.webhook.delivery.internal.DispatcherRules;
import io.credential.webhook.delivery.internal.OperationalEvent;
import io.credential.webhook.delivery.internal.queue.Payload;

/** Makes events of what applications dispatch. */
record EventFactory(DispatcherOptions options, PayloadDigest digest, EventIdGenerator ids, InstantSource clock) {

    private static final String TEST_PAYLOAD = "{\"message\":\"This is a test of the webhook endpoint\"}";

    /** Returns an event that tests an endpoint. */
    Event test() {
        return test(WebhookDispatcher.TEST_EVENT, Payload.of(TEST_PAYLOAD, TEST_PAYLOAD.length()));
    }

    /**
     * Returns an event of another type that tests an endpoint.
     *
     * @throws WebhookDispatcherException if it must not be dispatched
     */
    Event test(String eventType, Object payload) {
        requireNotReserved("eventType", DispatcherRules.requireEventType(eventType));
        return test(eventType, Payload.of(payload, options.maxPayloadBytes()));
    }

    private Event test(String eventType, Payload payload) {
        long now = clock.millis();
        return new Event(ids.next(now), eventType, null, true, null, null, payload, null, now);
    }

    /**
     * Returns an event to dispatch.
     *
     * @throws WebhookDispatcherException if it must not be dispatched
     */
    Event event(String eventType, Object payload, DispatchOptions dispatchOptions, @Nullable String traceParent) {
        DispatcherRules.require("options", dispatchOptions);
        requireNotReserved("eventType", DispatcherRules.requireEventType(eventType));
        if (options.requireAudience() && dispatchOptions.audience() == null) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    "audience is required, because credential.webhook.dispatcher.require-audience is set."
                            + " Dispatch the event with DispatchOptions.none().withAudience(..)");
        }
        long now = clock.millis();
        String key = dispatchOptions.idempotencyKey();
        if (key != null) {
            requireNotReserved("idempotencyKey", key);
        }
        Payload body = Payload.of(payload, options.maxPayloadBytes());
        return new Event(
                ids.next(now),
                eventType,
                dispatchOptions.audience(),
                dispatchOptions.everyAudience(),
                key,
                key == null ? null : digest.of(key, body),
                body,
                traceParent,
                now);
    }

    private static void requireNotReserved(String name, String value) {
        if (OperationalEvent.isReserved(value)) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    name + " must not begin with " + OperationalEvent.PREFIX
                            + ", which is reserved for operational events. Choose another " + name);
        }
    }
}
