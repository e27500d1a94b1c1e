package io.credential.webhook.delivery;

import java.util.List;
import java.util.Set;

import io.credential.storage.CredentialDatabase;

/**
 * The deliveries that are due, and what becomes of them. What is claimed by one is claimed by no other; an outcome is
 * stored only under the claim that it belongs to. Thread-safe.
 */
interface DeliveryQueue {

    /** The statement of {@link #holdsOpen} in either database. */
    String HOLDS_OPEN =
            "SELECT 1 FROM {deliveries} WHERE delivered_at IS NULL AND dead_at IS NULL ORDER BY endpoint_id LIMIT 1";

    /** @param inlineBytes claims come with payloads of up to so many bytes, and without larger ones */
    static DeliveryQueue of(CredentialDatabase database, DispatcherTables tables, int inlineBytes) {
        return switch (database.dialect()) {
            case POSTGRESQL -> new PostgresDeliveryQueue(database, tables, inlineBytes);
            case SQLITE -> new SqliteDeliveryQueue(database, tables, inlineBytes);
        };
    }

    /** Whether anything waits, due or not, or is under way. */
    boolean holdsOpen();

    /**
     * Claims deliveries that are pending and due: of each endpoint that has any an equal share, those first that are due for
     * longest.
     */
    ClaimBatch claim(ClaimRequest request);

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
