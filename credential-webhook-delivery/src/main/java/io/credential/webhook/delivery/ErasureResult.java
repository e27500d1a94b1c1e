package io.credential.webhook.delivery;

import org.jspecify.annotations.Nullable;

/**
 * What one call of {@link Deliveries#erasePayloads} has done.
 *
 * @param erased how many events it erased the payloads of
 * @param skipped how many matching events keep their payloads, because a delivery is in flight, or is pending and {@link
 *     ErasureQuery#includesPending()} is false, or because another transaction has locked them
 * @param nextCursor where the next call continues; null if all events have been examined
 * @since 0.1.0
 */
public record ErasureResult(
        int erased, int skipped, @Nullable String nextCursor) {}
