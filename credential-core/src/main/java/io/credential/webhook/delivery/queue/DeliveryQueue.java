package io.credential.webhook.delivery.queue;

import java.util.List;
import java.util.Set;

import io.credential.storage.CredentialDatabase;

/**
 * The deliveries that are due, and what becomes of them. What is claimed by one is claimed by no other; an outcome is
 * stored only under the claim that it belongs to. Thread-safe.
 *
 * @since 0.1.0
 */
public interface DeliveryQueue {

    /** @param inlineBytes claims come with payloads of up to so many bytes, and without larger ones */
    static DeliveryQueue of(CredentialDatabase database, DispatcherTables tables, int inlineBytes) {
        return switch (database.dialect()) {
            case POSTGRESQL -> new PostgresDeliveryQueue(database, tables, inlineBytes);
            case SQLITE -> new SqliteDeliveryQueue(database, tables, inlineBytes);
        };
    }

    /** Looks for what is open. Costs by how many endpoints have anything open. */
    OpenDeliveries look(long until);

    /** Claims deliveries that are pending and due, of each endpoint the oldest first; no suspects. */
    List<ClaimedDelivery> claim(ClaimRequest request);

    /** Claims one suspect that is due, if there is any: a delivery that was in flight when two nodes in a row died. */
    List<ClaimedDelivery> claimSuspect(Claim claim);

    /**
     * Claims one delivery at once if it is still as it was seen; its attempts count from one.
     *
     * @return empty when it has changed, or was removed
     */
    List<ClaimedDelivery> claimOne(SeenDelivery seen, Claim claim);

    /**
     * Stores outcomes, each under its claim.
     *
     * @param settlements one for a delivery at most
     * @return the ids of those that were stored; another has taken over the rest
     */
    Set<String> settle(List<Settlement> settlements);

    /**
     * Of outcomes that {@link #settle} did not store this time, those that it had stored before: its answer was lost then.
     */
    Set<String> settledBefore(List<Settlement> settlements);
}
