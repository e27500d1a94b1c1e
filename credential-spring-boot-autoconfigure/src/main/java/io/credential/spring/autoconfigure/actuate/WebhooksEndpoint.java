package io.credential.spring.autoconfigure.actuate;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

import io.credential.spring.autoconfigure.actuate.WebhookViews.DeliveryPageView;
import io.credential.spring.autoconfigure.actuate.WebhookViews.DeliveryView;
import io.credential.spring.autoconfigure.actuate.WebhookViews.EndpointPageView;
import io.credential.spring.autoconfigure.actuate.WebhookViews.EndpointView;
import io.credential.spring.autoconfigure.actuate.WebhookViews.JobPageView;
import io.credential.spring.autoconfigure.actuate.WebhookViews.JobView;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.spring.operations.internal.WebhookOperations.CountedBacklog;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.EndpointPage;
import io.credential.webhook.delivery.EndpointSummary;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.http.FailureReason;

/**
 * Shows the backlog, endpoints, deliveries and bulk retries of the auto-configured dispatcher, pauses and resumes endpoints,
 * retries and replays deliveries, and cancels bulk retries. Never shows a secret, header, payload or path of a URL. Thread-safe.
 */
@Endpoint(id = "webhooks", defaultAccess = Access.READ_ONLY)
final class WebhooksEndpoint {

    private static final String ENDPOINTS = "endpoints";
    private static final String DELIVERIES = "deliveries";
    private static final String JOBS = "jobs";

    private final WebhookOperations operations;

    WebhooksEndpoint(WebhookOperations operations) {
        this.operations = operations;
    }

    /** Returns the backlog as it was last read, and what this node does; reads nothing from the database. */
    @ReadOperation
    Summary summary() {
        DispatcherActivity activity = dispatcher().activity();
        return new Summary(
                operations.backlog().map(Backlog::of).orElse(null),
                new Node(activity.started(), activity.running(), activity.waiting(), activity.settling()));
    }

    /**
     * Returns one page of endpoints in the order of their ids, one page of deliveries, the newest first, or the jobs that have
     * not finished.
     *
     * @param resource {@link #ENDPOINTS}, {@link #DELIVERIES} or {@link #JOBS}, which takes no parameters
     * @param endpointId only deliveries to this endpoint; null for all
     * @param eventType only deliveries of this type; null for all
     * @param status only deliveries with this status; null for all
     */
    @ReadOperation
    OperationResponseBody list(
            @Selector String resource,
            @Nullable String endpointId,
            @Nullable String eventType,
            @Nullable String status,
            @Nullable String reason,
            @Nullable Integer limit,
            @Nullable String cursor) {
        int length = limit == null ? DeliveryQuery.DEFAULT_LIMIT : limit;
        return switch (resource) {
            case ENDPOINTS -> endpoints(length, cursor);
            case DELIVERIES -> deliveries(query(endpointId, eventType, status, reason, null, null), length, cursor);
            case JOBS ->
                new JobPageView(dispatcher().deliveries().openJobs().stream()
                        .map(JobView::of)
                        .toList());
            default -> throw unknownResource();
        };
    }

    /** Returns one endpoint, delivery or job. */
    @ReadOperation
    OperationResponseBody show(@Selector String resource, @Selector String id) {
        return switch (resource) {
            case ENDPOINTS -> view(operations.endpoint(id));
            case DELIVERIES -> DeliveryView.of(operations.delivery(id));
            case JOBS -> JobView.of(operations.job(id));
            default -> throw unknownResource();
        };
    }

    /** Pauses or resumes an endpoint, retries or replays a delivery, or cancels a job; returns it as it is then. */
    @WriteOperation
    OperationResponseBody change(@Selector String resource, @Selector String id, @Selector String operation) {
        return switch (resource) {
            case ENDPOINTS -> changeEndpoint(id, operation);
            case DELIVERIES -> sendAgain(id, operation);
            case JOBS -> cancel(id, operation);
            default -> throw unknownResource();
        };
    }

    /** Starts a job that retries the deliveries that match all conditions, of which at least one must be given. */
    @WriteOperation
    OperationResponseBody start(
            @Selector String resource,
            @Nullable String endpointId,
            @Nullable String eventType,
            @Nullable String status,
            @Nullable OffsetDateTime createdFrom,
            @Nullable OffsetDateTime createdBefore) {
        if (!resource.equals(JOBS)) {
            throw unknownResource();
        }
        return JobView.of(operations.retryAll(query(endpointId, eventType, status, null, createdFrom, createdBefore)));
    }

    private EndpointPageView endpoints(int limit, @Nullable String cursor) {
        EndpointPage page = operations.endpoints(cursor, limit);
        return new EndpointPageView(views(page.endpoints()), page.nextCursor());
    }

    private DeliveryPageView deliveries(DeliveryQuery query, int limit, @Nullable String cursor) {
        DeliveryQuery first = query.withLimit(limit);
        DeliveryPage page = dispatcher().deliveries().search(cursor == null ? first : first.after(cursor));
        return new DeliveryPageView(
                page.deliveries().stream().map(DeliveryView::of).toList(), page.nextCursor());
    }

    private EndpointView view(io.credential.webhook.delivery.Endpoint endpoint) {
        return views(List.of(endpoint)).get(0);
    }

    /** Reads the statistics of all of them at once. */
    private List<EndpointView> views(List<io.credential.webhook.delivery.Endpoint> endpoints) {
        Map<String, EndpointSummary> summaries = dispatcher()
                .statistics()
                .ofEndpoints(endpoints.stream()
                        .map(io.credential.webhook.delivery.Endpoint::endpointId)
                        .toList());
        return endpoints.stream()
                .map(endpoint ->
                        EndpointView.of(endpoint, Objects.requireNonNull(summaries.get(endpoint.endpointId()))))
                .toList();
    }

    private EndpointView changeEndpoint(String id, String operation) {
        return view(
                switch (operation) {
                    case "pause" -> operations.pause(id);
                    case "resume" -> operations.resume(id);
                    default -> throw bad("The operation of an endpoint must be one of: pause, resume");
                });
    }

    private DeliveryView sendAgain(String id, String operation) {
        return switch (operation) {
            case "retry" -> DeliveryView.of(dispatcher().deliveries().retry(id));
            case "replay" -> DeliveryView.of(dispatcher().dlq().replay(id));
            default -> throw bad("The operation of a delivery must be one of: retry, replay");
        };
    }

    private JobView cancel(String id, String operation) {
        if (!operation.equals("cancel")) {
            throw bad("The operation of a job must be: cancel");
        }
        return JobView.of(dispatcher().deliveries().cancelJob(id));
    }

    private static DeliveryQuery query(
            @Nullable String endpointId,
            @Nullable String eventType,
            @Nullable String status,
            @Nullable String reason,
            @Nullable OffsetDateTime from,
            @Nullable OffsetDateTime before) {
        return new DeliveryQuery(
                endpointId,
                eventType,
                status == null ? null : statusOf(status),
                null,
                reason == null ? null : reasonOf(reason),
                null,
                from == null ? null : from.toInstant(),
                before == null ? null : before.toInstant(),
                null,
                null,
                0,
                DeliveryQuery.DEFAULT_LIMIT,
                null);
    }

    private static DeliveryStatus statusOf(String text) {
        return DeliveryStatus.ofText(text)
                .orElseThrow(() -> bad("status must be one of: pending, in-flight, delivered, dead"));
    }

    private static FailureReason reasonOf(String text) {
        return FailureReason.ofText(text)
                .orElseThrow(() -> bad("reason must be a reason of a failed attempt, for example timed-out"));
    }

    private JdbcWebhookDispatcher dispatcher() {
        return operations.dispatcher();
    }

    private static WebhookDispatcherException unknownResource() {
        return new WebhookDispatcherException(
                WebhookDispatcherErrorCode.NOT_FOUND, "There is nothing here, only below: endpoints, deliveries, jobs");
    }

    private static WebhookDispatcherException bad(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.BAD_OPTS, message);
    }

    /** @param backlog null if it was not read recently */
    record Summary(@Nullable Backlog backlog, Node node) implements OperationResponseBody {}

    /**
     * Stored deliveries that are not delivered, on all nodes together.
     *
     * @param oldestDueAt since when the oldest pending delivery is due; null if none is due
     * @param complete false if counting stopped at a limit, so that the numbers are lower bounds
     */
    record Backlog(
            int pending, int inFlight, int dead, @Nullable Instant oldestDueAt, boolean complete) {

        static Backlog of(CountedBacklog counted) {
            DispatcherBacklog backlog = counted.numbers();
            return new Backlog(
                    backlog.pending(), backlog.inFlight(), backlog.dead(), backlog.oldestDueAt(), counted.complete());
        }
    }

    /** What this node has in memory. */
    record Node(boolean started, int running, int waiting, int settling) {}
}
