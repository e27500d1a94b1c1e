package io.credential.webhook.delivery;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The progress of {@link Deliveries#retryAll}. It is kept for the retention after it finished or was cancelled.
 *
 * @param id 32 hexadecimal digits
 * @param selected how many deliveries were selected so far; final unless the state is {@link BulkJobState#SELECTING}
 * @param done how many of them have been processed: each was made due, or was skipped
 * @param skipped how many of those done were left as they are, because their status changed after they were selected (they
 *     were delivered, died, or are being attempted), they were removed, or another call retried them
 * @param state what it is doing
 * @param createdAt when it was created
 * @param finishedAt when it finished or was cancelled; null if neither has happened
 * @since 0.1.0
 */
public record BulkJob(
        String id,
        long selected,
        long done,
        long skipped,
        BulkJobState state,
        Instant createdAt,
        @Nullable Instant finishedAt) {}
