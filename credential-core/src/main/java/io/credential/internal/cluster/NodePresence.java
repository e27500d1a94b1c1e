package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.LogText;
import io.credential.storage.internal.RepeatedWork;
import io.credential.storage.internal.SqlDialect;

/**
 * Lets nodes in single mode that share a PostgreSQL database notice each other: each renews a row, and warns when it
 * sees that another one is renewed. A row that a crashed node left behind is never renewed, and so causes no warning.
 * On SQLite, which is a file of one process, nothing is written. Thread-safe.
 */
public final class NodePresence implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NodePresence.class);

    private static final Duration DURATION = Duration.ofSeconds(15);
    private static final Duration RENEWAL = Duration.ofSeconds(5);
    private static final String PREFIX = "node/";
    private static final int MAX_OTHERS = 100;

    private static final String RENEW = """
            INSERT INTO _credential_leases (name, holder, epoch, expires_at)
            VALUES (:name, :holder, 1, {now} + :duration)
            ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at""".replace("{now}", SqlDialect.POSTGRESQL.now());

    private static final String DELETE = "DELETE FROM _credential_leases WHERE name = :name";

    private static final String DELETE_EXPIRED = "DELETE FROM _credential_leases WHERE name LIKE '" + PREFIX
            + "%' AND expires_at <= " + SqlDialect.POSTGRESQL.now();

    /** The leader of a cluster also counts, since it shares the database with this node. */
    private static final String FIND_OTHERS = """
            SELECT name, holder, expires_at FROM _credential_leases
            WHERE (name LIKE '{prefix}%' OR name = '{leader}') AND name <> :name AND expires_at > {now}
            ORDER BY name
            LIMIT :limit""".replace("{prefix}", PREFIX)
            .replace("{leader}", LeaseRow.NAME)
            .replace("{now}", SqlDialect.POSTGRESQL.now());

    private final CredentialDatabase database;
    private final String holder;
    private final String name;
    private final OwnedSchedule renewals = new OwnedSchedule(
            "credential-node-presence",
            DURATION,
            new RepeatedWork("This node cannot look for other nodes; trying again every " + RENEWAL, this::tick));
    private final Set<String> reported = new HashSet<>();
    private Map<String, Long> seen = Map.of();

    /**
     * @param database with its tables in place
     * @param nodeId names the node in the warnings of others; two nodes with the same name are still distinguished
     * @param random the source of a name for this incarnation of the node
     */
    public NodePresence(CredentialDatabase database, String nodeId, SecureRandom random) {
        this.database = database;
        this.holder = LeaseRow.newHolder(nodeId, random);
        this.name = PREFIX + holder;
    }

    /**
     * Writes the row, then renews it on a background thread. Does nothing if that thread is running.
     *
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException if the database does not answer
     */
    public void announce() {
        if (database.dialect() != SqlDialect.POSTGRESQL || renewals.isRunning()) {
            return;
        }
        database.inTransaction(
                DURATION, () -> database.jdbc().sql(DELETE_EXPIRED).update());
        tick();
        renewals.start(RENEWAL, RENEWAL);
    }

    /**
     * Returns whether another node has renewed its row recently. It may have crashed up to 15 seconds ago.
     *
     * @throws DataAccessException if the database does not answer
     */
    public boolean hasOthers() {
        return database.dialect() == SqlDialect.POSTGRESQL && !findOthers().isEmpty();
    }

    /** Removes the row and ends the renewals; the node can be announced again. */
    @Override
    public void close() {
        if (!renewals.isRunning()) {
            return;
        }
        renewals.stop();
        try {
            database.inTransaction(
                    DURATION,
                    () -> database.jdbc().sql(DELETE).param("name", name).update());
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("The row of node {} was not removed; it will expire", holder, e);
        }
    }

    /** Renews the row and looks for others. */
    synchronized void tick() {
        List<Row> others = database.inTransaction(DURATION, () -> {
            database.jdbc()
                    .sql(RENEW)
                    .param("name", name)
                    .param("holder", holder)
                    .param("duration", DURATION.toMillis())
                    .update();
            return findOthers();
        });
        Map<String, Long> now = new HashMap<>();
        for (Row other : others) {
            now.put(other.name(), other.expiresAt());
            Long before = seen.get(other.name());
            if (before != null && other.expiresAt() > before && reported.add(other.name())) {
                report(other);
            }
        }
        seen = now;
        reported.retainAll(now.keySet());
    }

    private void report(Row other) {
        LOG.warn(
                "Node {} runs in single mode, which is for one node, but shares its database with node {}. If there are"
                        + " several nodes, set 'credential.mode' to cluster and 'credential.cluster.advertised-url' on"
                        + " each, and give all of them one keyring. While one node replaces another, both run for a"
                        + " moment; this warning can then be ignored",
                holder,
                LogText.of(other.holder()));
    }

    private List<Row> findOthers() {
        return database.jdbc()
                .sql(FIND_OTHERS)
                .param("name", name)
                .param("limit", MAX_OTHERS)
                .query((row, number) -> new Row(row.getString(1), row.getString(2), row.getLong(3)))
                .list();
    }

    private record Row(String name, String holder, long expiresAt) {}
}
