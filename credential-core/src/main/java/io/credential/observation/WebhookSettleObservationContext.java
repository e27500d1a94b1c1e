package io.credential.observation;

import io.micrometer.observation.Observation;

/**
 * The state of {@link CredentialObservation#WEBHOOK_SETTLE}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookSettleObservationContext extends Observation.Context {

    private final int deliveries;
    private String outcome = Words.NONE;

    /** @param deliveries how many outcomes the batch contains */
    public WebhookSettleObservationContext(int deliveries) {
        this.deliveries = deliveries;
    }

    public int deliveries() {
        return deliveries;
    }

    /** Returns {@code stored} or {@code error}; {@code none} while it is running. */
    public String outcome() {
        return outcome;
    }

    public void stored() {
        this.outcome = "stored";
    }

    public void failed() {
        this.outcome = "error";
    }
}
