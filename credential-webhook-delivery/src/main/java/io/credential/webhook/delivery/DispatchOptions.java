package io.credential.webhook.delivery;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.internal.DispatcherRules;

/**
 * The options of one dispatch.
 *
 * @param idempotencyKey makes a repeated dispatch return the deliveries of the first; 1 to 255 visible ASCII
 *     characters, remembered for as long as the event is kept; null for none
 * @param audience limits the event to the endpoints of this audience; null for none
 * @param independent whether the event is stored even if a transaction on another DataSource is active, independently of it
 * @param everyAudience whether the event also reaches endpoints that have an audience, whichever it is
 * @since 0.1.0
 */
public record DispatchOptions(
        @Nullable String idempotencyKey, @Nullable String audience, boolean independent, boolean everyAudience) {

    private static final DispatchOptions NONE = new DispatchOptions(null, null, false, false);

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if the key or the audience is out of
     *     range, or an audience is combined with {@code everyAudience}
     */
    public DispatchOptions {
        if (idempotencyKey != null) {
            DispatcherRules.requireIdempotencyKey(idempotencyKey);
        }
        if (audience != null) {
            DispatcherRules.requireAudience(audience);
            DispatcherRules.requireThat(
                    !everyAudience, "withAudience and toEveryAudience must not be combined; use one of them");
        }
    }

    /**
     * Returns options without a key or an audience, which do not allow a transaction on another DataSource. An event
     * dispatched with them is rejected if an endpoint that it would reach has an audience.
     */
    public static DispatchOptions none() {
        return NONE;
    }

    /**
     * Returns a copy with an idempotency key.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null or out of range
     */
    public DispatchOptions withIdempotencyKey(String key) {
        return new DispatchOptions(DispatcherRules.requireIdempotencyKey(key), audience, independent, everyAudience);
    }

    /**
     * Returns a copy for one audience.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if it is null or out of range, or after
     *     {@link #toEveryAudience()}
     */
    public DispatchOptions withAudience(String audience) {
        return new DispatchOptions(
                idempotencyKey, DispatcherRules.requireAudience(audience), independent, everyAudience);
    }

    /**
     * Returns a copy for all endpoints that subscribe to the event, whatever their audience.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} after {@link #withAudience}
     */
    public DispatchOptions toEveryAudience() {
        return new DispatchOptions(idempotencyKey, audience, independent, true);
    }

    /** Returns a copy that ignores transactions on other DataSources. */
    public DispatchOptions asIndependent() {
        return new DispatchOptions(idempotencyKey, audience, true, everyAudience);
    }
}
