package io.credential.keyring;

import org.jspecify.annotations.Nullable;

/**
 * The keyring cannot be used with the database: it is missing, unreadable, or belongs to another database. The message
 * never contains a key.
 *
 * @since 0.1.0
 */
public final class KeyringException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    public KeyringException(String problem, String remedy) {
        this(problem, remedy, null);
    }

    public KeyringException(String problem, String remedy, @Nullable Throwable cause) {
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
