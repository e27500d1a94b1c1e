package io.credential.webhook.inbox;

import java.util.Optional;

import io.credential.storage.ReadOnlyTransactionException;
import io.credential.webhook.signature.VerifiedWebhook;

/**
 * Processes each incoming webhook once, on however many nodes and however often it is delivered, for as long as its id is
 * retained. Methods join a transaction on the DataSource of the inbox; without one, each runs in a new one. All throw a {@link
 * org.springframework.dao.DataAccessException} if the database does not answer, and a {@link
 * org.springframework.transaction.TransactionException} if a transaction cannot be begun or committed. Thread-safe.
 *
 * @since 0.1.0
 */
public interface WebhookInbox {

    /**
     * Does the work unless a webhook with the same {@link VerifiedWebhook#deduplicationId()} of the same sender was processed.
     * The work and the id are committed together. If the work throws, neither is, and the next attempt is processed. If the
     * same webhook is being processed elsewhere, this waits for the outcome.
     *
     * @param work should change only the database, and must not wait for others: the transaction is open meanwhile, and on
     *     PostgreSQL has half a minute unless it is that of the caller
     * @return whether the work was done; if not, answer with a status of 2xx nevertheless, so that the sender stops
     * @throws IllegalArgumentException if the webhook was verified by a verifier without a name
     * @throws ReadOnlyTransactionException if the caller's transaction is read-only
     */
    boolean once(VerifiedWebhook webhook, Runnable work);

    /**
     * Does the same for a webhook with another id, such as one in its body.
     *
     * @param sender the name of the sender
     * @param id identifies the event among those of the sender; it must be signed
     * @param work as above
     * @return whether the work was done
     * @throws IllegalArgumentException if the sender or the id is not 1 to 1024 characters
     */
    boolean once(String sender, String id, Runnable work);

    /** Returns one page of stored webhooks. */
    InboxPage search(InboxQuery query);

    /**
     * Returns a stored webhook, or empty if there is none.
     *
     * @param id the id in the inbox
     */
    Optional<StoredWebhook> get(String id);

    /**
     * Makes a dead webhook pending again, with all its attempts.
     *
     * @param id the id in the inbox
     * @return the webhook as it is then; empty if there is none, or it is not dead
     */
    Optional<StoredWebhook> retry(String id);

    /**
     * Makes all dead webhooks of a sender pending again, with all their attempts, in steps of 500.
     *
     * @return how many
     */
    int retryAll(String sender);
}
