package io.credential.sample;

import java.util.function.IntFunction;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.server.ResponseStatusException;

import io.credential.sample.DemonstrationEvents.DemoCustomerUpdated;
import io.credential.sample.DemonstrationEvents.DemoInvoicePaid;
import io.credential.sample.DemonstrationEvents.DemoOrderCreated;
import io.credential.sample.DemonstrationEvents.DemoOrderShipped;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

import static io.credential.sample.DemonstrationEvents.CUSTOMER_UPDATED;
import static io.credential.sample.DemonstrationEvents.INVOICE_PAID;
import static io.credential.sample.DemonstrationEvents.ORDER_CREATED;
import static io.credential.sample.DemonstrationEvents.ORDER_SHIPPED;

/**
 * Gives each screen of the console something to show. Its audience and event types are used by nothing else, so that other
 * endpoints receive none of its events. Can be repeated: events have idempotency keys, and endpoints are replaced.
 */
@Service
class Demonstration {

    static final String AUDIENCE = "demonstration";

    private static final String NOTE_WRITTEN = "demo.note.written";

    private static final String REMOVED = "demo-removed";

    private final WebhookDispatcher dispatcher;
    private final DemonstrationKeys keys;
    private final TransactionTemplate transaction;
    private final String secret;

    /** @param secret the key with which {@link DemonstrationReceivers} verify */
    Demonstration(
            WebhookDispatcher dispatcher,
            DemonstrationKeys keys,
            TransactionTemplate transaction,
            @Value("${credential.webhook.inbound.demonstration.keys.v1}") String secret) {
        this.dispatcher = dispatcher;
        this.keys = keys;
        this.transaction = transaction;
        this.secret = secret;
    }

    void send() {
        keys.issue();
        try {
            transaction.executeWithoutResult(status -> {
                registerEndpoints();
                sendEvents();
                dispatcher.removeEndpoint(REMOVED); // what waits for it is dead
            });
        } catch (WebhookDispatcherException e) {
            throw explained(e);
        }
    }

    private void registerEndpoints() {
        register("demo-healthy", DemonstrationReceivers.HEALTHY, ORDER_CREATED, ORDER_SHIPPED, INVOICE_PAID);
        register("demo-slow", DemonstrationReceivers.SLOW, INVOICE_PAID);
        register("demo-failing", DemonstrationReceivers.FAILING, ORDER_SHIPPED);
        register("demo-paused", DemonstrationReceivers.HEALTHY, INVOICE_PAID);
        dispatcher.pauseEndpoint("demo-paused");
        register(REMOVED, DemonstrationReceivers.HEALTHY, CUSTOMER_UPDATED);
        dispatcher.registerEndpoint(registration("demo-envelope", DemonstrationReceivers.HEALTHY, secret, NOTE_WRITTEN)
                .payloadFormat(PayloadFormat.ENVELOPE));
        dispatcher.registerEndpoint(registration(
                "demo-wrong-secret",
                DemonstrationReceivers.HEALTHY,
                "not the secret of its receiver",
                CUSTOMER_UPDATED));
    }

    private void register(String id, String path, String... eventTypes) {
        dispatcher.registerEndpoint(registration(id, path, secret, eventTypes));
    }

    private static EndpointRegistration registration(String id, String path, String secret, String... eventTypes) {
        return EndpointRegistration.of(id, DemonstrationTransport.url(path), secret, eventTypes)
                .audience(AUDIENCE);
    }

    private void sendEvents() {
        send(60, ORDER_CREATED, DemoOrderCreated::of);
        send(30, ORDER_SHIPPED, DemoOrderShipped::of);
        send(10, INVOICE_PAID, DemoInvoicePaid::of);
        send(10, CUSTOMER_UPDATED, DemoCustomerUpdated::of);
        dispatcher.enqueue(
                NOTE_WRITTEN,
                "This is text, which does not fit into the envelope of its endpoint.",
                options(NOTE_WRITTEN, 1));
    }

    private void send(int count, String eventType, IntFunction<Record> event) {
        for (int number = 1; number <= count; number++) {
            dispatcher.enqueue(event.apply(number), options(eventType, number));
        }
    }

    private static DispatchOptions options(String eventType, int number) {
        return DispatchOptions.none().withAudience(AUDIENCE).withIdempotencyKey(eventType + "-" + number);
    }

    private static RuntimeException explained(WebhookDispatcherException e) {
        boolean refused = e.errorCode() == WebhookDispatcherErrorCode.UNSAFE_DESTINATION
                || e.errorCode() == WebhookDispatcherErrorCode.UNRESOLVABLE_DESTINATION;
        return refused
                ? new ResponseStatusException(
                        HttpStatus.CONFLICT,
                        "The demonstration needs 100::1/128 in credential.webhook.dispatcher.allowed-cidrs, and neither"
                                + " credential.webhook.dispatcher.proxy nor credential.webhook.dispatcher.ssl-bundle",
                        e)
                : e;
    }
}
