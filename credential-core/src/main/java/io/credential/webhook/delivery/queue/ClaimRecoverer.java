package io.credential.webhook.delivery.queue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.storage.CredentialDatabase;

/**
 * Frees deliveries whose claim was abandoned: claims of nodes that died, claims that this node does not know of because the
 * response of the database was lost, and claims older than the maximum age. If a delivery may have been sent, that
 * counts as an attempt. Runs every second while the node has a lease, on a different thread than its renewal. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ClaimRecoverer {

    private static final Logger LOG = LoggerFactory.getLogger(ClaimRecoverer.class);

    /** A statement whose response was lost may still be executed for a while. */
    private static final Duration LOST_CLAIM_WATCHED = Duration.ofSeconds(30);

    private static final int MAX_LOST_CLAIMS = 1000;

    /** A node acquires its lease before its first claim, so an older claim without a lease is orphaned. */
    private static final Duration LONGEST_WITHOUT_LEASE = Duration.ofSeconds(15);

    private static final Duration SWEEP_EVERY = Duration.ofSeconds(10);

    private static final Duration LONGEST_SWEEP_PAUSE = Duration.ofMinutes(1);

    /** The pause after a sweep, as a multiple of its duration: a sweep reads all open deliveries. */
    private static final int PAUSE_PER_SWEEP = 50;

    /** A node that was only slow cannot renew this lease afterwards. */
    private static final String END_LEASE = "DELETE FROM _credential_leases WHERE name = :name AND epoch = :epoch";

    private static final String TAKE_OVER = """
            UPDATE {deliveries}
            SET status = 'pending', attempts = attempts + 1, takeovers = takeovers + 1,
                claimed_at = NULL, claim_token = NULL, claim_owner = NULL
            WHERE delivered_at IS NULL AND dead_at IS NULL AND status = 'in-flight'
              AND (claim_owner IN (:dead) OR claimed_at <= :staleBefore
                OR (claimed_at <= :leasedBefore AND NOT EXISTS (
                    SELECT 1 FROM _credential_leases l WHERE l.name = '%s' || claim_owner)))""".formatted(NodeLeases.PREFIX);

    private static final String PUT_BACK = """
            UPDATE {deliveries}
            SET status = 'pending', claimed_at = NULL, claim_token = NULL, claim_owner = NULL
            WHERE delivered_at IS NULL AND dead_at IS NULL AND status = 'in-flight' AND claim_token IN (:tokens)""";

    private final CredentialDatabase database;
    private final NodeLeases leases;
    private final String takeOver;
    private final String putBack;
    private final Duration longestClaim;
    private final LiveNodes nodes;
    private final Runnable onFreed;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final List<String> dead = new ArrayList<>();
    private final SilenceDetector silence = new SilenceDetector();
    private final Map<Long, Long> lostClaims = new LinkedHashMap<>();
    private long nextSweep;

    /**
     * @param longestClaim the maximum age of a claim
     * @param nodes learns which other nodes have a lease
     * @param onFreed called when deliveries were freed
     */
    public ClaimRecoverer(
            CredentialDatabase database,
            DispatcherTables tables,
            Duration longestClaim,
            LiveNodes nodes,
            Runnable onFreed,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.database = database;
        this.leases = new NodeLeases(database, tables);
        this.takeOver = tables.in(TAKE_OVER);
        this.putBack = tables.in(PUT_BACK);
        this.longestClaim = longestClaim;
        this.nodes = nodes;
        this.onFreed = onFreed;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.nextSweep = nanoTime.getAsLong();
    }

    /** Notes that deliveries may be stored under a claim that this node does not attempt; they are put back. */
    public void lost(Claim claim) {
        synchronized (lostClaims) {
            if (lostClaims.size() < MAX_LOST_CLAIMS) { // further ones are freed when they are too old
                lostClaims.put(claim.token(), nanoTime.getAsLong());
            }
        }
    }

    /** Returns whether there are claims to put back. */
    public boolean isPending() {
        synchronized (lostClaims) {
            return !lostClaims.isEmpty();
        }
    }

    /** Frees what can be freed; to be called by one thread only, while this node has the lease of this name. */
    public void run(String ownLease) {
        putBackLost();
        long asked = nanoTime.getAsLong();
        Map<String, NodeLeases.Node> all = leases.all();
        nodes.seen(ownLease, all);
        Map<String, Long> others = new HashMap<>();
        all.forEach((name, node) -> others.put(name, node.epoch()));
        others.remove(ownLease);
        for (String name : silence.look(others, asked, nanoTime.getAsLong())) {
            if (endLease(name, others.getOrDefault(name, 0L))) {
                LOG.warn("The node {} stopped renewing its lease; this node takes over its deliveries", name);
                dead.add(name.substring(NodeLeases.PREFIX.length()));
            }
        }
        if (!dead.isEmpty() || asked - nextSweep >= 0) {
            sweep();
        }
    }

    private void sweep() {
        long begun = nanoTime.getAsLong();
        try {
            takeOver(dead);
            dead.clear();
        } finally {
            long took = nanoTime.getAsLong() - begun;
            nextSweep = begun
                    + Math.min(Math.max(SWEEP_EVERY.toNanos(), PAUSE_PER_SWEEP * took), LONGEST_SWEEP_PAUSE.toNanos());
        }
    }

    /** Frees claims without a lease and claims that are too old, without asking which nodes have died. */
    public void freeOrphaned() {
        takeOver(List.of());
    }

    private void takeOver(List<String> owners) {
        long now = clock.millis();
        JdbcClient.StatementSpec statement = database.jdbc()
                .sql(takeOver)
                .param("dead", owners.isEmpty() ? List.of("") : owners)
                .param("staleBefore", now - longestClaim.toMillis())
                .param("leasedBefore", now - LONGEST_WITHOUT_LEASE.toMillis());
        freed(database.write(statement::update));
    }

    private void putBackLost() {
        Map<Long, Long> lost;
        synchronized (lostClaims) {
            lost = new HashMap<>(lostClaims);
        }
        if (lost.isEmpty()) {
            return;
        }
        long asked = nanoTime.getAsLong();
        JdbcClient.StatementSpec statement = database.jdbc().sql(putBack).param("tokens", lost.keySet());
        freed(database.write(statement::update));
        synchronized (lostClaims) {
            lostClaims.values().removeIf(since -> asked - since > LOST_CLAIM_WATCHED.toNanos());
        }
    }

    private void freed(int deliveries) {
        if (deliveries > 0) {
            onFreed.run();
        }
    }

    private boolean endLease(String name, long epoch) {
        return database.write(() -> database.jdbc()
                        .sql(END_LEASE)
                        .param("name", name)
                        .param("epoch", epoch)
                        .update())
                == 1;
    }
}
