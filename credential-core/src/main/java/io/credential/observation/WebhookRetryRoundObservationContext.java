package io.credential.observation;

import io.micrometer.observation.Observation;

/**
 * The state of {@link CredentialObservation#WEBHOOK_RETRY_ROUND}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookRetryRoundObservationContext extends Observation.Context {

    private final String trigger;
    private int deliveries;
    private String outcome = Words.NONE;

    /** @param trigger {@code background} or {@code call} */
    public WebhookRetryRoundObservationContext(String trigger) {
        this.trigger = trigger;
    }

    public String trigger() {
        return trigger;
    }

    /** Returns how many deliveries were claimed in the background, or attempted by the call. */
    public int deliveries() {
        return deliveries;
    }

    /** Returns {@code success} or {@code error}; {@code none} while it is running. */
    public String outcome() {
        return outcome;
    }

    public void succeeded(int number) {
        this.deliveries = number;
        this.outcome = "success";
    }

    public void failed() {
        this.outcome = "error";
    }
}
