package io.credential.sample;

import java.net.URI;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryAttempt;
import io.credential.webhook.delivery.DeliveryPage;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.ErasureResult;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Finds deliveries, retries them and erases their payloads. */
@RestController
@RequestMapping("/deliveries")
@RequiresScope("webhooks:admin")
class DeliveryController {

    private final WebhookDispatcher dispatcher;
    private final Deliveries deliveries;

    DeliveryController(WebhookDispatcher dispatcher) {
        this.dispatcher = dispatcher;
        this.deliveries = dispatcher.deliveries();
    }

    /**
     * Empty parameters select all. Times are Unix milliseconds, from {@code from} to before {@code to}; {@code Link} refers
     * to the next page, if any.
     */
    @GetMapping
    ResponseEntity<List<Delivery>> search(
            @RequestParam(required = false) @Nullable String endpointId,
            @RequestParam(required = false) @Nullable String eventType,
            @RequestParam(required = false) @Nullable String status,
            @RequestParam(required = false) @Nullable Integer responseStatus,
            @RequestParam(required = false) @Nullable String reason,
            @RequestParam(required = false) @Nullable Long from,
            @RequestParam(required = false) @Nullable Long to,
            @RequestParam(required = false) @Nullable String eventId,
            @RequestParam(defaultValue = "0") int minAttempts,
            @RequestParam(defaultValue = "" + DeliveryQuery.DEFAULT_LIMIT) int limit,
            @RequestParam(required = false) @Nullable String cursor) {
        DeliveryQuery query = new DeliveryConditions(
                        given(endpointId),
                        given(eventType),
                        given(status),
                        responseStatus,
                        given(reason),
                        from,
                        to,
                        given(eventId),
                        minAttempts)
                .toQuery()
                .withLimit(limit);
        DeliveryPage page = deliveries.search(StringUtils.hasLength(cursor) ? query.after(cursor) : query);
        return NextPage.answer(page.deliveries(), page.nextCursor());
    }

    @GetMapping("/{id}")
    Delivery get(@PathVariable String id) {
        return deliveries
                .get(id)
                .orElseThrow(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.NOT_FOUND, "No delivery has this id"));
    }

    @GetMapping("/{id}/attempts")
    List<DeliveryAttempt> attempts(@PathVariable String id) {
        get(id);
        return deliveries.attempts(id);
    }

    @PostMapping("/{id}/retry")
    Delivery retry(@PathVariable String id) {
        return deliveries.retry(id);
    }

    /** Without {@code dryRun}, a job retries the deliveries in the background. Empty strings are rejected. */
    @PostMapping("/bulk-retry")
    ResponseEntity<Object> bulkRetry(@RequestBody BulkRetry request) {
        if (request.query() == null) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "query is missing; {} selects all deliveries");
        }
        DeliveryQuery query = request.query().toQuery();
        if (Boolean.TRUE.equals(request.dryRun())) {
            return ResponseEntity.ok(new Selected(deliveries.count(query)));
        }
        BulkJob job = deliveries.retryAll(query);
        return ResponseEntity.accepted()
                .location(URI.create("/jobs/" + job.id()))
                .body(job);
    }

    /** Erases the payloads of one page of events; {@code nextCursor}, if any, is the {@code cursor} of the next request. */
    @PostMapping("/erase-payloads")
    ErasureResult erasePayloads(@RequestBody Erasure request) {
        return deliveries.erasePayloads(request.toQuery());
    }

    @PostMapping("/process-retries")
    RetryResult processRetries() {
        return dispatcher.processRetries();
    }

    private static @Nullable String given(@Nullable String text) {
        return StringUtils.hasLength(text) ? text : null;
    }

    record BulkRetry(
            @Nullable DeliveryConditions query, @Nullable Boolean dryRun) {}

    record Selected(long selected) {}

    /** At least one of the first three is required. {@code before} is in Unix milliseconds. */
    record Erasure(
            @Nullable String eventId,
            @Nullable String audience,
            @Nullable Long before,
            @Nullable Boolean includePending,
            @Nullable String cursor) {

        ErasureQuery toQuery() {
            return new ErasureQuery(
                    eventId,
                    audience,
                    before == null ? null : Instant.ofEpochMilli(before),
                    Boolean.TRUE.equals(includePending),
                    cursor);
        }
    }
}
