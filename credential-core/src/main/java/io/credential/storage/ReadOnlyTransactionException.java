package io.credential.storage;

import org.springframework.transaction.TransactionUsageException;

/**
 * Thrown when something must be stored, but the transaction of the caller is read-only. Thrown before any work, so the
 * transaction can continue.
 *
 * @since 0.1.0
 */
public final class ReadOnlyTransactionException extends TransactionUsageException {

    /** What is wrong, and what to do. */
    public static final String MESSAGE = "Nothing can be stored in this thread's transaction, which is read-only. Use a"
            + " transaction that can write, or none";

    private static final long serialVersionUID = 1L;

    public ReadOnlyTransactionException() {
        super(MESSAGE);
    }
}
