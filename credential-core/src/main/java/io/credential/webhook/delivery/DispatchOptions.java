package io.credential.webhook.delivery;

import org.jspecify.annotations.Nullable;

/**
 * How to dispatch one event.
 *
 * @param idempotencyKey makes a repeated dispatch return the deliveries of the first; 1 to 255 visible ASCII
 *     characters, remembered for as long as the event is kept; null for none
 * @param audience reaches only the endpoints of this audience; null reaches all
 * @param independent stores the event also when a transaction on another DataSource is active, and apart from it
 * @since 0.1.0
 */
public record DispatchOptions(
        @Nullable String idempotencyKey, @Nullable String audience, boolean independent) {

    private static final DispatchOptions NONE = new DispatchOptions(null, null, false);

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when the key or the audience is out of
     *     range
     */
    public DispatchOptions {
        if (idempotencyKey != null) {
            DispatcherRules.requireIdempotencyKey(idempotencyKey);
        }
        if (audience != null) {
            DispatcherRules.requireAudience(audience);
        }
    }

    /** No key, every audience, and no transaction of another DataSource. */
    public static DispatchOptions none() {
        return NONE;
    }

    /**
     * The same with an idempotency key.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is null or out of range
     */
    public DispatchOptions withIdempotencyKey(String key) {
        return new DispatchOptions(DispatcherRules.requireIdempotencyKey(key), audience, independent);
    }

    /**
     * The same for one audience.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} when it is null, which would reach all
     *     audiences, or out of range
     */
    public DispatchOptions withAudience(String audience) {
        return new DispatchOptions(idempotencyKey, DispatcherRules.requireAudience(audience), independent);
    }

    /** The same, apart from transactions of other DataSources. */
    public DispatchOptions asIndependent() {
        return new DispatchOptions(idempotencyKey, audience, true);
    }
}
