package io.credential.webhook.delivery.internal.outbox;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.credential.storage.ReadOnlyTransactionException;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Checks whether something must be stored in a transaction of the calling thread. Thread-safe. */
public final class CallerTransaction {

    private final CredentialDatabase database;

    public CallerTransaction(CredentialDatabase database) {
        this.database = database;
    }

    /**
     * Returns whether the caller has a transaction to join.
     *
     * @param independent whether to ignore a transaction on another DataSource
     * @throws WebhookDispatcherException {@code webhook-dispatcher/foreign-transaction} if nothing can be stored in the caller's
     *     transaction
     */
    public boolean isToBeJoined(boolean independent) {
        if (!TransactionSynchronizationManager.isActualTransactionActive() && !isAfterTransaction()) {
            return false;
        }
        if (database.isInTransaction()) {
            requireWritable();
            return true;
        }
        if (!independent) {
            throw foreign(
                    "This thread's transaction has ended, or is on another DataSource than the dispatcher: webhooks would be"
                            + " sent even if the transaction rolls back. Use a transaction on the dispatcher's DataSource, or"
                            + " none; in a callback after a commit, a new one (REQUIRES_NEW). An event can also be dispatched"
                            + " with DispatchOptions.none().asIndependent()");
        }
        return false;
    }

    /**
     * Checks that a transaction of the caller can write.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/foreign-transaction} if it is read-only
     */
    public void requireWritable() {
        try {
            database.requireWritable();
        } catch (ReadOnlyTransactionException e) {
            throw WebhookDispatcherException.ofDatabase(e);
        }
    }

    /** Spring has forgotten the transaction if a callback after its end has had another one. */
    private boolean isAfterTransaction() {
        return isBound() && !TransactionSynchronizationManager.isSynchronizationActive();
    }

    /** Returns whether a transaction on this DataSource is bound to the thread, even one that has just ended. */
    boolean isBound() {
        return TransactionSynchronizationManager.hasResource(database.dataSource());
    }

    /**
     * Rejects a transaction of the caller: deliveries that are claimed in it stay locked until it ends, and their outcomes
     * would wait for it.
     *
     * @throws WebhookDispatcherException {@code webhook-dispatcher/foreign-transaction} if the caller has one on this
     *     DataSource
     */
    public void requireNone() {
        if (database.isInTransaction()) {
            throw foreign(
                    "Deliveries cannot be processed inside a transaction: they would be locked while their outcomes"
                            + " are stored. Process them outside a transaction");
        }
    }

    private static WebhookDispatcherException foreign(String message) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.FOREIGN_TRANSACTION, message);
    }
}
