package io.credential.webhook.delivery.outbox;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.credential.storage.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/**
 * Tells whether the calling thread has a transaction that an event must be stored in. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CallerTransaction {

    private final CredentialDatabase database;

    public CallerTransaction(CredentialDatabase database) {
        this.database = database;
    }

    /**
     * Whether the caller has a transaction to join.
     *
     * @param independent whether a transaction on another DataSource is of no interest
     * @throws WebhookDispatcherException {@code webhook-dispatcher/foreign-transaction} when it has one that the event
     *     cannot be stored in
     */
    public boolean isToBeJoined(boolean independent) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        if (database.isInTransaction()) {
            if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
                throw foreign(
                        "The transaction of this thread is read-only: an event cannot be stored in it. Dispatch in"
                                + " a transaction that may write, or outside of one");
            }
            return true;
        }
        if (!independent) {
            throw foreign("The transaction of this thread is on another DataSource than the dispatcher: the event would"
                    + " be sent even if it rolls back. Dispatch in a transaction on the dispatcher's DataSource, or with"
                    + " DispatchOptions.none().asIndependent()");
        }
        return false;
    }

    /** Whether a transaction on this DataSource is bound to the thread, also one that has just ended. */
    boolean isBound() {
        return TransactionSynchronizationManager.hasResource(database.dataSource());
    }

    /**
     * What is claimed in a transaction of the caller stays locked until it ends, and its outcome waits for the lock.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/foreign-transaction} when the caller has one on this
     *     DataSource
     */
    public void requireNone() {
        if (database.isInTransaction()) {
            throw foreign(
                    "Deliveries cannot be processed inside a transaction: they would be locked while their outcomes"
                            + " are stored. Call it outside of one");
        }
    }

    private static WebhookDispatcherException foreign(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.FOREIGN_TRANSACTION, message);
    }
}
