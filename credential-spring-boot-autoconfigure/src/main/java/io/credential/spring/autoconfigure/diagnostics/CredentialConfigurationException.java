package io.credential.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at startup if the configuration of the application cannot be used. Reported as a failure analysis.
 *
 * @since 0.1.0
 */
public final class CredentialConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    /**
     * @param problem what is wrong, without any secret
     * @param remedy what to do about it
     */
    public CredentialConfigurationException(String problem, String remedy) {
        this(problem, remedy, null);
    }

    /**
     * @param problem what is wrong, without any secret
     * @param remedy what to do about it
     * @param cause null when there is none
     */
    public CredentialConfigurationException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem + " " + remedy, cause);
        this.problem = problem;
        this.remedy = remedy;
    }

    /** Returns what is wrong, in whole sentences. */
    public String problem() {
        return problem;
    }

    /** Returns what to do about it, in whole sentences. */
    public String remedy() {
        return remedy;
    }
}
