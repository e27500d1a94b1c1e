package io.credential.spring.console.internal.delivery;

/**
 * What a retry of many deliveries would do.
 *
 * @param filter selects them
 * @param count how many would be retried now
 * @param isComplete whether all were counted; otherwise, there may be more
 */
public record RetryPreview(DeliveryFilter filter, long count, boolean isComplete) {

    private static final long TYPED_ABOVE = 1000;

    /** Returns whether the number must be typed to confirm. */
    public boolean mustBeTyped() {
        return count > TYPED_ABOVE || !isComplete;
    }
}
