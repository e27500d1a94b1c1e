package io.credential.observation;

/**
 * The state of {@link CredentialObservation#WEBHOOK_VERIFY}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookVerifyObservationContext extends VerifyObservationContext {

    private final String verifier;
    private final String algorithm;

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
}
