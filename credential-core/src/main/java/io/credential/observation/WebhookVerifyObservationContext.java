package io.credential.observation;

import io.micrometer.observation.Observation;

/**
 * The state of {@link CredentialObservation#WEBHOOK_VERIFY}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookVerifyObservationContext extends Observation.Context {

    private final String verifier;
    private final String algorithm;
    private String outcome = Words.NONE;
    private String reason = Words.NONE;

    public WebhookVerifyObservationContext(String verifier, String algorithm) {
        this.verifier = verifier;
        this.algorithm = algorithm;
    }

    public String verifier() {
        return verifier;
    }

    public String algorithm() {
        return algorithm;
    }

    /** Returns {@code accepted}, {@code rejected} or {@code error}; {@code none} while it is running. */
    public String outcome() {
        return outcome;
    }

    /** Returns the reason of the audit event {@code webhook.verify}, {@code abandoned} or {@code none}. */
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

    /** The request could be neither accepted nor rejected. */
    public void failed(String why) {
        this.outcome = "error";
        this.reason = why;
    }
}
