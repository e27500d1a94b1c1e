package io.credential.webhook.delivery.internal.queue;

import java.util.List;
import java.util.Set;

import io.credential.storage.internal.CredentialDatabase;

/**
 * Claims due deliveries and stores their outcomes. A delivery is claimed by one node at a time, and its outcome is stored
 * only while that claim lasts. Thread-safe.
 */
public interface DeliveryQueue {

    /** @param inlineBytes the size of the largest payload that is read with a claim */
    static DeliveryQueue of(CredentialDatabase database, DispatcherTables tables, int inlineBytes) {
        return switch (database.dialect()) {
            case POSTGRESQL -> new PostgresDeliveryQueue(database, tables, inlineBytes);
            case SQLITE -> new SqliteDeliveryQueue(database, tables, inlineBytes);
        };
    }

    /**
     * An endpoint to claim from.
     *
     * @param dueAt none of its deliveries was due before, in Unix milliseconds
     * @param limit how many deliveries to claim at most
     */
    record Quota(String endpointId, long dueAt, int limit) {}

    /**
     * Looks for open deliveries. The cost depends on how many endpoints have any.
     *
     * @param until the latest due time to look for, in Unix milliseconds
     */
    OpenDeliveries scan(long until);

    /** Claims pending deliveries that are due, the oldest of each endpoint first; no suspects. */
    List<ClaimedDelivery> claim(List<Quota> quotas, Claim claim);

    /** Claims one suspect that is due, if there is any: a delivery that was in flight when two nodes in a row died. */
    List<ClaimedDelivery> claimSuspect(Claim claim);

    /**
     * Claims one delivery at once if it has not changed since it was read; its attempts start again at one.
     *
     * @return empty if it has changed or was removed
     */
    List<ClaimedDelivery> claimOne(SeenDelivery seen, Claim claim);

    /**
     * Stores outcomes.
     *
     * @param settlements at most one for each delivery
     * @return the ids of the deliveries whose outcome was stored; another node has taken over the others
     */
    Set<String> settle(List<Settlement> settlements);

    /**
     * Of outcomes that {@link #settle} did not store this time, returns the ids of those that an earlier call had stored,
     * whose response was lost.
     */
    Set<String> settledBefore(List<Settlement> settlements);
}
