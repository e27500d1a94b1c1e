package io.credential.webhook.delivery.internal.history;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.seal.internal.RowValues;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.http.FailureReason;

/**
 * A job with its query and progress.
 *
 * @param query with the largest limit and without a cursor
 * @param nextCursor the delivery after which the next page or batch begins; null for the first one
 * @param startedBy the actor; null if unknown
 */
record StoredJob(
        BulkJob job,
        DeliveryQuery query,
        @Nullable String nextCursor,
        @Nullable String startedBy) {

    String id() {
        return job.id();
    }

    /** Returns the query for the next page of the selection. */
    DeliveryQuery nextPage(int limit) {
        DeliveryQuery page = query.withLimit(limit);
        return nextCursor == null ? page : page.after(nextCursor);
    }

    /** Returns whether the job finishes with this many more deliveries. */
    boolean isLast(int more) {
        return job.done() + more == job.selected();
    }

    StoredJob selected(int count, @Nullable String nextCursor) {
        return new StoredJob(
                new BulkJob(
                        job.id(),
                        job.selected() + count,
                        job.done(),
                        job.skipped(),
                        nextCursor == null ? BulkJobState.RETRYING : BulkJobState.SELECTING,
                        job.createdAt(),
                        null),
                query,
                nextCursor,
                startedBy);
    }

    StoredJob advanced(int done, int skipped, @Nullable String nextCursor, @Nullable Instant finishedAt) {
        return new StoredJob(
                new BulkJob(
                        job.id(),
                        job.selected(),
                        job.done() + done,
                        job.skipped() + skipped,
                        finishedAt == null ? BulkJobState.RETRYING : BulkJobState.FINISHED,
                        job.createdAt(),
                        finishedAt),
                query,
                nextCursor,
                startedBy);
    }

    StoredJob cancelled(Instant now) {
        return new StoredJob(
                new BulkJob(
                        job.id(),
                        job.selected(),
                        job.done(),
                        job.skipped(),
                        BulkJobState.CANCELLED,
                        job.createdAt(),
                        now),
                query,
                nextCursor,
                startedBy);
    }

    /** Returns all columns that nodes act on or audit. */
    RowValues values() {
        DeliveryStatus status = query.status();
        FailureReason reason = query.reason();
        Integer responseStatus = query.responseStatus();
        return new RowValues("webhook_jobs")
                .text("job_id", job.id())
                .text("state", job.state().text())
                .text("endpoint_id", query.endpointId())
                .text("event_type", query.eventType())
                .text("delivery_status", status == null ? null : status.text())
                .number("response_status", responseStatus == null ? null : responseStatus.longValue())
                .text("last_reason", reason == null ? null : reason.text())
                .text("audience", query.audience())
                .number("created_from", millis(query.createdFrom()))
                .number("created_before", millis(query.createdBefore()))
                .text("event_id", query.eventId())
                .text("idempotency_key", query.idempotencyKey())
                .number("min_attempts", (long) query.minAttempts())
                .text("next_cursor", nextCursor)
                .number("selected", job.selected())
                .number("done", job.done())
                .number("skipped", job.skipped())
                .text("started_by", startedBy)
                .number("created_at", millis(job.createdAt()))
                .number("finished_at", millis(job.finishedAt()));
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }
}
