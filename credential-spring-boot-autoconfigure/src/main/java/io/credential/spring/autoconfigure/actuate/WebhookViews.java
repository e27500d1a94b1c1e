package io.credential.spring.autoconfigure.actuate;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.credential.ratelimit.RateLimit;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointSummary;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.http.FailureReason;

/** What {@link WebhooksEndpoint} shows. */
final class WebhookViews {

    private WebhookViews() {}

    /**
     * A page of endpoints, which may be empty if it is the last one.
     *
     * @param nextCursor null if no endpoints follow
     */
    record EndpointPageView(
            List<EndpointView> endpoints, @Nullable String nextCursor) implements OperationResponseBody {}

    /**
     * A page of deliveries.
     *
     * @param nextCursor null on the last page
     */
    record DeliveryPageView(
            List<DeliveryView> deliveries, @Nullable String nextCursor) implements OperationResponseBody {}

    /** Bulk retries that have not finished. */
    record JobPageView(List<JobView> jobs) implements OperationResponseBody {}

    /**
     * An endpoint without its metadata.
     *
     * @param lastDay how attempts ended in the last 24 hours
     * @param destination scheme, host and port of its URL; the rest is often a secret, for example in URLs of chat services
     */
    record EndpointView(
            String endpointId,
            String destination,
            List<String> eventTypes,
            @Nullable String audience,
            String payloadFormat,
            @Nullable String name,
            @Nullable RateLimitView rateLimit,
            Instant createdAt,
            @Nullable Instant pausedAt,
            @Nullable String pauseReason,
            String scheme,
            @Nullable Instant previousSecretUntil,
            @Nullable Instant lastSuccessAt,
            @Nullable Instant failingSince,
            AttemptsView lastDay)
            implements OperationResponseBody {

        static EndpointView of(Endpoint endpoint, EndpointSummary summary) {
            RateLimit limit = endpoint.rateLimit();
            PauseReason reason = endpoint.pauseReason();
            return new EndpointView(
                    endpoint.endpointId(),
                    origin(endpoint.url()),
                    endpoint.eventTypes(),
                    endpoint.audience(),
                    endpoint.payloadFormat().text(),
                    endpoint.name(),
                    limit == null ? null : new RateLimitView(limit.limit(), limit.windowSeconds()),
                    endpoint.createdAt(),
                    endpoint.pausedAt(),
                    reason == null ? null : reason.text(),
                    endpoint.scheme().text(),
                    endpoint.previousSecretUntil(),
                    summary.lastSuccessAt(),
                    summary.failingSince(),
                    new AttemptsView(summary.accepted(), summary.failed(), summary.dead()));
        }

        static String origin(String url) {
            try {
                URI uri = new URI(url); // its host is null if it has an underscore
                String authority = String.valueOf(uri.getRawAuthority());
                return uri.getScheme() + "://" + authority.substring(authority.lastIndexOf('@') + 1);
            } catch (URISyntaxException e) {
                return "malformed";
            }
        }
    }

    /** How many attempts were accepted and failed, and how many deliveries died. */
    record AttemptsView(long accepted, long failed, long dead) {}

    /** How many requests an endpoint gets at most within any window. */
    record RateLimitView(int limit, long windowSeconds) {}

    record DeliveryView(
            String deliveryId,
            String eventId,
            String endpointId,
            String eventType,
            String status,
            int attempts,
            Instant nextAttemptAt,
            @Nullable Instant claimedAt,
            @Nullable Instant deliveredAt,
            @Nullable Integer responseStatus,
            @Nullable String lastError,
            @Nullable String lastReason,
            Instant createdAt,
            @Nullable Instant payloadErasedAt)
            implements OperationResponseBody {

        static DeliveryView of(Delivery delivery) {
            FailureReason reason = delivery.lastReason();
            return new DeliveryView(
                    delivery.deliveryId(),
                    delivery.eventId(),
                    delivery.endpointId(),
                    delivery.eventType(),
                    delivery.status().text(),
                    delivery.attempts(),
                    delivery.nextAttemptAt(),
                    delivery.claimedAt(),
                    delivery.deliveredAt(),
                    delivery.responseStatus(),
                    delivery.lastError(),
                    reason == null ? null : reason.text(),
                    delivery.createdAt(),
                    delivery.payloadErasedAt());
        }
    }

    record JobView(
            String id,
            String state,
            long selected,
            long done,
            long skipped,
            Instant createdAt,
            @Nullable Instant finishedAt)
            implements OperationResponseBody {

        static JobView of(BulkJob job) {
            return new JobView(
                    job.id(),
                    job.state().text(),
                    job.selected(),
                    job.done(),
                    job.skipped(),
                    job.createdAt(),
                    job.finishedAt());
        }
    }
}
