package io.credential.storage;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The tables do not match this version, and could not be migrated to it.
 *
 * @since 0.1.0
 */
public final class SchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final List<String> missingScripts;
    private final @Nullable String remedy;

    /**
     * @param missingScripts the scripts that have not run, by file name and in order
     */
    public SchemaException(String message, List<String> missingScripts, @Nullable Throwable cause) {
        super(message, cause);
        this.problem = message;
        this.missingScripts = List.copyOf(missingScripts);
        this.remedy = null;
    }

    /**
     * @param remedy what to do about the problem, without a period
     */
    public SchemaException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem + ". " + remedy, cause);
        this.problem = problem;
        this.missingScripts = List.of();
        this.remedy = remedy;
    }

    /** Returns the message without the remedy. */
    public String problem() {
        return problem;
    }

    /** Returns what to do about the problem, without a period; null if the message does not say. */
    public @Nullable String remedy() {
        return remedy;
    }

    /** Returns the scripts that have not run, by file name and in order; empty if there is another problem. */
    public List<String> missingScripts() {
        return missingScripts;
    }
}
