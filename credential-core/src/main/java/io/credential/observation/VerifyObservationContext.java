package io.credential.observation;

import io.micrometer.observation.Observation;

/** The outcome of a verification. */
abstract class VerifyObservationContext extends Observation.Context {

    private String outcome = Words.NONE;
    private String reason = Words.NONE;

    /** Returns {@code accepted}, {@code rejected} or {@code error}; {@code none} while it is running. */
    public String outcome() {
        return outcome;
    }

    /**
     * Returns the reason of the audit event, {@code abandoned} if a webhook was rejected before it was verified, or {@code
     * none}.
     */
    public String reason() {
        return reason;
    }

    public void accepted() {
        this.outcome = "accepted";
    }

    public void rejected(String why) {
        this.outcome = "rejected";
        this.reason = why;
    }

    /** Notes that the request could be neither accepted nor rejected. */
    public void failed(String why) {
        this.outcome = "error";
        this.reason = why;
    }
}
