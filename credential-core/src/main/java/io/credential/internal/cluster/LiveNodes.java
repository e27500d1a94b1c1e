package io.credential.internal.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;

/**
 * Reads which nodes share the database of this node: in cluster mode, those that announce their keys, and the leader; in
 * single mode, those that announce their presence. A node that crashed is shown until its row expires, for up to a minute.
 * Thread-safe.
 */
public final class LiveNodes {

    private static final int MAX_NODES = 1000;

    /** What nodes write. Anything else could be misleading to operators. */
    private static final Pattern HOLDER = Pattern.compile("[^\\p{C}\\p{Z}]{1,255}/[0-9a-f]{16}");

    private static final String FIND =
            """
            SELECT holder, advertised_url, row_mac, 1 AS leads FROM _credential_leases
            WHERE name = '{leader}' AND expires_at > {now}
            UNION ALL
            SELECT holder, NULL, NULL, 0 FROM _credential_leases
            WHERE name LIKE 'node/%' AND expires_at > {now}
            UNION ALL
            SELECT node, NULL, NULL, 0 FROM
                (SELECT DISTINCT node FROM _credential_cluster_keys WHERE expires_at > {now}) AS announced
            ORDER BY leads DESC, holder
            LIMIT :limit""".replace("{leader}", LeaseRow.NAME).replace("{now}", SqlDialect.POSTGRESQL.now());

    private final CredentialDatabase database;
    private final LeaseRow.Authenticity leases;

    /** @param keyring authenticates the leader */
    public LiveNodes(CredentialDatabase database, Keyring keyring) {
        this.database = database;
        this.leases = new LeaseRow.Authenticity(keyring);
    }

    /**
     * The nodes at one time.
     *
     * @param leader the id of the node that leads; null if there is none, or its row is not authentic
     * @param leaderUrl where the leader can be reached; null if it is not known or not authentic
     * @param nodes the ids of the nodes that announce themselves, sorted; a node id that several nodes have is repeated. They
     *     are not authenticated
     */
    public record Found(@Nullable String leader, @Nullable String leaderUrl, List<String> nodes) {

        /** Copies the list. */
        public Found {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * Reads them with one statement; with none on SQLite, which is a file of one process.
     *
     * @throws DataAccessException if the database does not answer
     */
    public Found find() {
        if (database.dialect() != SqlDialect.POSTGRESQL) {
            return new Found(null, null, List.of());
        }
        return database.jdbc().sql(FIND).param("limit", MAX_NODES).query(rows -> {
            @Nullable String leader = null;
            @Nullable String url = null;
            List<String> nodes = new ArrayList<>();
            while (rows.next()) {
                String holder = rows.getString(1);
                if (rows.getInt(4) == 0) {
                    if (HOLDER.matcher(holder).matches()) {
                        nodes.add(LeaseRow.nodeId(holder));
                    }
                } else if (leases.verify(holder, rows.getString(2), rows.getString(3))) {
                    leader = LeaseRow.nodeId(holder);
                    url = rows.getString(2);
                }
            }
            return new Found(leader, url, nodes);
        });
    }
}
