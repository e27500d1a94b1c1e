package io.credential.keyring.internal;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.transaction.TransactionException;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.keyring.KeyringException;
import io.credential.seal.internal.Keyring;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.RepeatedWork;
import io.credential.storage.internal.SqlDialect;

/**
 * Keeps nodes of a cluster from using keyrings that do not match. Each running node announces the ids and check values of
 * its keys in the database, and renews them until they expire by the database's clock. Two keyrings match if no id stands
 * for different keys, and each has the keys that are active in the other. A key can therefore be replaced while nodes run:
 * it is added to every keyring, then made active in every keyring, and then the old one is removed. Thread-safe.
 */
public final class ClusterKeys implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterKeys.class);

    private static final Duration DURATION = Duration.ofSeconds(15);
    private static final Duration RENEWAL = Duration.ofSeconds(5);

    /** Added until the first renewal: the transaction that announces the keys may check all rows of the database. */
    private static final Duration LONGEST_START = Duration.ofSeconds(30);

    private static final int INCARNATION_BYTES = 8;
    private static final int MAX_ROWS = 10_000;

    /** No node announces its keys for longer: others could otherwise be kept from starting for ever. */
    private static final Duration MAX_DURATION = Duration.ofSeconds(60);

    /** What nodes write. Anything else could forge lines of the log. */
    private static final Pattern NODE =
            Pattern.compile("[^\\p{C}\\p{Z}]{1,255}/[0-9a-f]{" + 2 * INCARNATION_BYTES + "}");

    private static final Pattern CHECK_ID = Pattern.compile("(index/)?[a-z0-9-]{1,32}");
    private static final int MAX_CHECK_VALUE = 100;

    private static final String NOW = SqlDialect.POSTGRESQL.now();

    /** Ends the wait for the lock, and that of others if this node is stopped. A shorter time of the caller is kept. */
    private static final String LIMIT_TRANSACTION = """
            SELECT set_config(name, CASE
                WHEN CAST(current_setting(name) AS INTERVAL) BETWEEN INTERVAL '1 ms' AND CAST(longest AS INTERVAL)
                THEN current_setting(name) ELSE longest END, true)
            FROM (VALUES ('lock_timeout', '25s'), ('idle_in_transaction_session_timeout', '30s'))
                AS limits (name, longest)""";

    /** A lock was not available, or the statement was cancelled because the transaction ran out of time. */
    private static final Set<String> WAITED_TOO_LONG = Set.of("55P03", "57014");

    /** Of two nodes that start at the same time, the second sees what the first has announced. Renewals do not wait. */
    private static final String ONE_AT_A_TIME = "LOCK TABLE _credential_cluster_keys IN SHARE UPDATE EXCLUSIVE MODE";

    private static final String LIVE = "expires_at > {now} AND expires_at <= {now} + {max}"
            .replace("{now}", NOW)
            .replace("{max}", Long.toString(MAX_DURATION.toMillis()));

    private static final String DELETE_EXPIRED = "DELETE FROM _credential_cluster_keys WHERE NOT (" + LIVE + ")";

    private static final String ANNOUNCE = """
            INSERT INTO _credential_cluster_keys (node, check_id, check_value, is_active, expires_at)
            VALUES (:node, :checkId, :checkValue, :active, {now} + :duration)
            ON CONFLICT (node, check_id) DO UPDATE SET expires_at = excluded.expires_at""".replace("{now}", NOW);

    private static final String FIND_OTHERS = """
            SELECT node, check_id, left(check_value, :maxCheckValue), is_active FROM _credential_cluster_keys
            WHERE node <> :node AND {live}
            ORDER BY node, check_id
            LIMIT :limit""".replace("{live}", LIVE);

    private static final String DELETE = "DELETE FROM _credential_cluster_keys WHERE node = :node";

    private final CredentialDatabase database;
    private final String nodeId;
    private final String node;
    private final OwnedSchedule renewals = new OwnedSchedule(
            "credential-cluster-keys",
            DURATION,
            new RepeatedWork("This node cannot announce its keys; trying again every " + RENEWAL, this::tick));
    private final Set<String> reported = new HashSet<>();
    private volatile @Nullable NodeKeys own;

    /**
     * @param database a PostgreSQL database with its tables in place
     * @param nodeId names the node to others; two nodes with the same name are still distinguished
     * @param random the source of a name for this incarnation of the node
     * @throws IllegalArgumentException if the database is not PostgreSQL, or the node id is empty, longer than 255
     *     characters, or contains spaces or control characters
     */
    public ClusterKeys(CredentialDatabase database, String nodeId, SecureRandom random) {
        this.database = database;
        this.nodeId = nodeId;
        if (database.dialect() != SqlDialect.POSTGRESQL) {
            throw new IllegalArgumentException("Nodes can share only a PostgreSQL database, not " + database.dialect());
        }
        this.node = nodeId + "/" + new RandomHex(random).next(INCARNATION_BYTES);
        if (!NODE.matcher(node).matches()) {
            throw new IllegalArgumentException(
                    "The node id must consist of 1 to 255 characters, without spaces and control characters; set"
                            + " 'credential.cluster.node-id'");
        }
    }

    /**
     * Announces the keys of this node, and renews them on a background thread until it is closed. Nodes that start at the
     * same time do this one after another. In a transaction of the caller, the keys are announced when it commits.
     *
     * @throws KeyringException if the keyring does not match that of a running node, another node does not finish its
     *     start in time, or the table has too many rows; nothing is announced then
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException if the database does not answer
     */
    public void announce(Keyring keyring) {
        announceOnce(keyring);
        database.afterCommit(() -> renewals.start(Duration.ZERO, RENEWAL));
    }

    /** Announces the keys without renewing them. */
    void announceOnce(Keyring keyring) {
        NodeKeys announced = NodeKeys.of(keyring);
        database.inTransaction(LONGEST_START, () -> {
            waitForOthers();
            database.jdbc().sql(DELETE_EXPIRED).update();
            others(true).forEach((other, keys) -> {
                List<String> differences = announced.differencesFrom(keys, nodeId(other));
                if (!differences.isEmpty()) {
                    throw mismatch(other, differences);
                }
            });
            return write(announced, DURATION.plus(LONGEST_START));
        });
        database.afterCommit(() -> own = announced);
    }

    /** Removes what was announced and ends the renewals. */
    @Override
    public void close() {
        renewals.stop();
        if (own == null) {
            return;
        }
        own = null;
        try {
            database.inTransaction(
                    DURATION,
                    () -> database.jdbc().sql(DELETE).param("node", node).update());
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("The announced keys of node {} were not removed; they will expire", node, e);
        }
    }

    /** A running node is never stopped: it warns of a node that started while this one had not renewed in time. */
    void tick() {
        NodeKeys announced = own;
        if (announced == null) {
            return;
        }
        // Even if there are too many rows, this node continues to renew its own.
        Map<String, NodeKeys> others = database.inTransaction(DURATION, () -> {
            write(announced, DURATION);
            return others(false);
        });
        others.forEach((other, keys) -> {
            List<String> differences = announced.differencesFrom(keys, nodeId(other));
            if (!differences.isEmpty() && reported.add(other)) {
                LOG.warn("{}", mismatch(other, differences).getMessage());
            }
        });
        reported.retainAll(others.keySet());
    }

    private int[] write(NodeKeys announced, Duration duration) {
        return database.batchUpdate(
                ANNOUNCE,
                announced.checkValues().entrySet().stream()
                        .<SqlParameterSource>map(key -> new MapSqlParameterSource("node", node)
                                .addValue("checkId", key.getKey())
                                .addValue("checkValue", key.getValue())
                                .addValue("active", announced.active().contains(key.getKey()) ? 1 : 0)
                                .addValue("duration", duration.toMillis()))
                        .toList());
    }

    private void waitForOthers() {
        try {
            database.jdbc().sql(LIMIT_TRANSACTION).query(String.class).list();
            database.jdbc().sql(ONE_AT_A_TIME).update();
        } catch (DataAccessException e) {
            if (e.getMostSpecificCause() instanceof SQLException cause
                    && WAITED_TOO_LONG.contains(cause.getSQLState())) {
                throw new KeyringException(
                        "Another node is starting, and has not finished comparing its keyring in time.",
                        "Start this node again. The database ends the transaction of a node that was stopped meanwhile"
                                + " after 30 seconds.",
                        e);
            }
            throw e;
        }
    }

    /**
     * Returns the keys of other nodes.
     *
     * @param complete whether to fail if there are too many rows to read them all
     */
    private Map<String, NodeKeys> others(boolean complete) {
        Map<String, NodeKeys> others = new TreeMap<>();
        AtomicInteger rows = new AtomicInteger();
        database.jdbc()
                .sql(FIND_OTHERS)
                .param("node", node)
                .param("maxCheckValue", MAX_CHECK_VALUE)
                .param("limit", MAX_ROWS)
                .query(row -> {
                    rows.incrementAndGet();
                    String other = row.getString(1);
                    String checkId = row.getString(2);
                    if (!NODE.matcher(other).matches()
                            || !CHECK_ID.matcher(checkId).matches()) {
                        return;
                    }
                    NodeKeys keys =
                            others.computeIfAbsent(other, name -> new NodeKeys(new TreeMap<>(), new HashSet<>()));
                    keys.checkValues().put(checkId, row.getString(3));
                    if (row.getLong(4) == 1) {
                        keys.active().add(checkId);
                    }
                });
        if (complete && rows.get() >= MAX_ROWS) {
            throw new KeyringException(
                    "The table _credential_cluster_keys has " + MAX_ROWS
                            + " or more rows, too many to compare the keyring with those of all nodes.",
                    "Find out what writes to that table. Running nodes write one row for each of their keys, and write it"
                            + " again after you delete it.");
        }
        return others;
    }

    private KeyringException mismatch(String other, List<String> differences) {
        return new KeyringException(
                "The keyring of this node, '" + nodeId + "', does not match that of node '" + nodeId(other)
                        + "', which is running: " + String.join("; ", differences) + ".",
                "Set 'credential.keyring.location' to the same keyring on every node. To replace a key, first add the new"
                        + " key on every node, then make it active on every node, and then remove the old one. If node '"
                        + nodeId(other) + "' has crashed, its keys expire within " + DURATION.toSeconds()
                        + " seconds, or within " + DURATION.plus(LONGEST_START).toSeconds()
                        + " seconds if it crashed while it started: start again then.");
    }

    private static String nodeId(String node) {
        return node.substring(0, node.lastIndexOf('/'));
    }
}
