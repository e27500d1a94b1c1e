package io.credential.observation;

/**
 * The state of {@link CredentialObservation#API_KEY_VERIFY}. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class ApiKeyVerifyObservationContext extends VerifyObservationContext {

    private final String namespace;

    /** @param namespace of the registry */
    public ApiKeyVerifyObservationContext(String namespace) {
        this.namespace = namespace;
    }

    public String namespace() {
        return namespace;
    }
}
