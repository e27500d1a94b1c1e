package io.credential.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * The application's set-up does not let Credential start. Reported as a failure analysis: what is wrong, and what to
 * do.
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

    /**
     * Returns the exception for a configuration that core refused.
     *
     * @param property the prefix of the properties that it was made from
     * @param code the error code of the refusal
     * @param refusal with a message without a full stop
     */
    public static CredentialConfigurationException refused(String property, String code, RuntimeException refusal) {
        return new CredentialConfigurationException(
                "The configuration under '" + property + "' cannot be used (" + code + "): " + refusal.getMessage()
                        + ".",
                "Correct the properties under '" + property + "'.",
                refusal);
    }

    /** What is wrong, in whole sentences. */
    public String problem() {
        return problem;
    }

    /** What to do about it, in whole sentences. */
    public String remedy() {
        return remedy;
    }
}
