package io.credential.spring.operations.internal;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointPage;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * Operations on the auto-configured dispatcher for Actuator and the console. All operations throw a {@link
 * WebhookDispatcherException} with the code {@code webhook-dispatcher/unavailable} if the dispatcher was not created, and
 * those with an id one with {@code webhook-dispatcher/not-found} if nothing has it. Thread-safe.
 */
public final class WebhookOperations {

    private final Supplier<Optional<JdbcWebhookDispatcher>> dispatcher;
    private final Supplier<Optional<DispatcherBacklog>> backlog;

    /**
     * @param dispatcher returns the dispatcher; empty if it was not created
     * @param backlog returns the backlog as it was last read; empty if that was not recently
     */
    public WebhookOperations(
            Supplier<Optional<JdbcWebhookDispatcher>> dispatcher, Supplier<Optional<DispatcherBacklog>> backlog) {
        this.dispatcher = dispatcher;
        this.backlog = backlog;
    }

    /**
     * Stored deliveries that are not delivered, on all nodes together.
     *
     * @param complete false if counting stopped at a limit, so that the numbers are lower bounds
     */
    public record CountedBacklog(DispatcherBacklog numbers, boolean complete) {}

    public JdbcWebhookDispatcher dispatcher() {
        return dispatcher
                .get()
                .orElseThrow(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.UNAVAILABLE, "The webhook dispatcher has not been created"));
    }

    /** Returns the backlog as it was last read; empty if it was not read recently. Reads nothing from the database. */
    public Optional<CountedBacklog> backlog() {
        return backlog.get()
                .map(numbers -> new CountedBacklog(
                        numbers,
                        numbers.pending() + numbers.inFlight() < DispatcherBacklog.MOST
                                && numbers.dead() < DispatcherBacklog.MOST));
    }

    /** @param cursor of the page before; null for the first page */
    public EndpointPage endpoints(@Nullable String cursor, int limit) {
        List<Endpoint> page = dispatcher().listEndpoints(cursor, limit);
        return new EndpointPage(
                page, page.size() < limit ? null : page.get(limit - 1).endpointId());
    }

    public Endpoint endpoint(String id) {
        return dispatcher().getEndpoint(id).orElseThrow(() -> notFound("No endpoint has this id"));
    }

    public Delivery delivery(String id) {
        return dispatcher().deliveries().get(id).orElseThrow(() -> notFound("No delivery has this id"));
    }

    public BulkJob job(String id) {
        return dispatcher().deliveries().job(id).orElseThrow(() -> notFound("No bulk retry has this id"));
    }

    /** Pauses an endpoint, and returns it as it is then. */
    public Endpoint pause(String id) {
        if (!dispatcher().pauseEndpoint(id)) {
            throw notFound("No endpoint has this id");
        }
        return endpoint(id);
    }

    /** Resumes an endpoint, and returns it as it is then. */
    public Endpoint resume(String id) {
        if (!dispatcher().resumeEndpoint(id)) {
            throw notFound("No endpoint has this id");
        }
        return endpoint(id);
    }

    /**
     * Starts a job that retries the deliveries that match all conditions.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if there are none: nobody wants to retry
     *     everything by accident
     */
    public BulkJob retryAll(DeliveryQuery query) {
        if (query.equals(DeliveryQuery.all())) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS,
                    "A bulk retry needs at least one condition, so that it does not select all deliveries");
        }
        return dispatcher().deliveries().retryAll(query);
    }

    private static WebhookDispatcherException notFound(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.NOT_FOUND, message);
    }
}
