package io.credential.observation;

import io.micrometer.observation.Observation;

/**
 * The state of {@link CredentialObservation#API_KEY_VERIFY}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class ApiKeyVerifyObservationContext extends Observation.Context {

    private final String namespace;
    private String outcome = Words.NONE;
    private String reason = Words.NONE;

    /** @param namespace of the registry */
    public ApiKeyVerifyObservationContext(String namespace) {
        this.namespace = namespace;
    }

    public String namespace() {
        return namespace;
    }

    /** Returns {@code accepted}, {@code rejected} or {@code error}; {@code none} while it is running. */
    public String outcome() {
        return outcome;
    }

    /** Returns the reason of the audit event {@code apikey.verify}, or {@code none}. */
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

    /** The token could be neither accepted nor rejected. */
    public void failed(String why) {
        this.outcome = "error";
        this.reason = why;
    }
}
