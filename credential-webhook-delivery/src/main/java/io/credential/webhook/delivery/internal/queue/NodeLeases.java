package io.credential.webhook.delivery.internal.queue;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.credential.storage.internal.CredentialDatabase;

/**
 * Reads the leases of all nodes that have the same table of deliveries; ignores those of other dispatchers in the database.
 * Thread-safe.
 */
final class NodeLeases {

    /** The name of a lease is this prefix and a lease id. */
    static final String PREFIX = "webhook-dispatcher/";

    private static final String FIND = """
            SELECT name, epoch, holder FROM _credential_leases WHERE name LIKE '%s%%' AND holder IN (:holders)""".formatted(PREFIX);

    private final CredentialDatabase database;
    private final String idle;
    private final String worker;

    NodeLeases(CredentialDatabase database, DispatcherTables tables) {
        this.database = database;
        this.idle = tables.deliveries().toLowerCase(Locale.ROOT); // the databases ignore the case, too
        this.worker = idle + "/worker";
    }

    /**
     * @param epoch the number of renewals
     * @param works whether the node claims pending deliveries, whichever node stored them
     */
    record Node(long epoch, boolean works) {}

    /** Returns what the lease of a node contains in the column {@code holder}. */
    String holder(boolean works) {
        return works ? worker : idle;
    }

    /** Returns the nodes by the names of their leases, including this one. */
    Map<String, Node> all() {
        Map<String, Node> nodes = new HashMap<>();
        database.jdbc().sql(FIND).param("holders", Set.of(idle, worker)).query(row -> {
            nodes.put(
                    row.getString(1), new Node(row.getLong(2), row.getString(3).equals(worker)));
        });
        return nodes;
    }
}
