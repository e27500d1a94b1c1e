package io.credential.webhook.delivery.internal.queue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.LogText;

/**
 * Frees deliveries whose claim was abandoned: claims of nodes that died, claims that this node does not know of because the
 * response of the database was lost, and claims older than the maximum age. If a delivery may have been sent, that
 * counts as an attempt. Thread-safe.
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

    /** A paused endpoint can have millions of open deliveries, which are all read: a shorter limit might never suffice. */
    private static final Duration SWEEP_LIMIT = Duration.ofMinutes(1);

    /** Callers need no pause after a sweep that took less. */
    private static final Duration SHORT_SWEEP = Duration.ofSeconds(1);

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
    private final Set<String> dead = ConcurrentHashMap.newKeySet();
    private final SilenceDetector silence = new SilenceDetector();
    private final Map<Long, Long> lostClaims = new LinkedHashMap<>();
    private long nextSweep;
    private long nextPutBack;
    private long repeatAt;
    private volatile long nextForCallers;

    /**
     * @param nodes learns which other nodes have a lease
     * @param onFreed called when deliveries were freed
     */
    public ClaimRecoverer(DispatcherContext context, LiveNodes nodes, Runnable onFreed, LongSupplier nanoTime) {
        this.database = context.database();
        this.leases = new NodeLeases(database, context.tables());
        this.takeOver = context.tables().in(TAKE_OVER);
        this.putBack = context.tables().in(PUT_BACK);
        this.longestClaim = context.options().claimReclaimAfter();
        this.nodes = nodes;
        this.onFreed = onFreed;
        this.clock = context.clock();
        this.nanoTime = nanoTime;
        this.nextSweep = nanoTime.getAsLong();
        this.nextPutBack = nextSweep;
        this.repeatAt = nextSweep;
        this.nextForCallers = nextSweep;
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

    /**
     * Looks for nodes that have died, and ends their leases; to be called every second by one thread only, while this node has
     * the lease of this name. Reads only the leases, so that it never waits for {@link #free}.
     *
     * @return whether deliveries can be taken over
     */
    public boolean scan(String ownLease) {
        long asked = nanoTime.getAsLong();
        Map<String, NodeLeases.Node> all = leases.all();
        nodes.seen(ownLease, all);
        Map<String, Long> others = new HashMap<>();
        all.forEach((name, node) -> others.put(name, node.epoch()));
        others.remove(ownLease);
        for (String name : silence.scan(others, asked, nanoTime.getAsLong())) {
            if (endLease(name, others.getOrDefault(name, 0L))) {
                LOG.warn(
                        "The node {} stopped renewing its lease; this node takes over its deliveries",
                        LogText.of(name));
                dead.add(name.substring(NodeLeases.PREFIX.length()));
            }
        }
        return !dead.isEmpty();
    }

    /** Frees what can be freed; to be called every second by one thread only, while this node has a lease. */
    public void free() {
        long begun = nanoTime.getAsLong();
        if (begun - repeatAt < 0) {
            return;
        }
        try {
            try {
                putBackLost();
            } finally {
                if (!dead.isEmpty() || begun - nextSweep >= 0) {
                    sweep();
                }
            }
        } catch (DataAccessException | TransactionException e) {
            long now = nanoTime.getAsLong();
            repeatAt = now + (now - begun); // a statement that always runs out of time must not run all the time
            throw e;
        }
    }

    private void sweep() {
        long begun = nanoTime.getAsLong();
        List<String> owners = List.copyOf(dead);
        freed(withTime(() -> takeOver(owners)));
        owners.forEach(dead::remove);
        nextSweep = begun + Math.max(SWEEP_EVERY.toNanos(), pauseAfter(begun));
    }

    /** Returns the time from the beginning of a sweep that ends now to that of the next. */
    private long pauseAfter(long begun) {
        long took = nanoTime.getAsLong() - begun;
        return Math.max(2 * took, Math.min(PAUSE_PER_SWEEP * took, LONGEST_SWEEP_PAUSE.toNanos()));
    }

    /**
     * Frees claims without a lease and claims that are too old, for a caller that goes on to claim. Failures are logged, and
     * nothing is freed for a while after a statement that took long; {@link #free} has more time.
     */
    public void freeOrphaned() {
        long begun = nanoTime.getAsLong();
        if (begun - nextForCallers < 0) {
            return;
        }
        try {
            freed(database.write(() -> takeOver(List.of())));
        } catch (DataAccessException | TransactionException e) {
            LOG.warn("Could not free webhook deliveries of crashed nodes; attempting only the others", e);
        }
        nextForCallers = nanoTime.getAsLong() - begun < SHORT_SWEEP.toNanos() ? begun : begun + pauseAfter(begun);
    }

    private int takeOver(List<String> owners) {
        long now = clock.millis();
        return database.jdbc()
                .sql(takeOver)
                .param("dead", owners.isEmpty() ? List.of("") : owners)
                .param("staleBefore", now - longestClaim.toMillis())
                .param("leasedBefore", now - LONGEST_WITHOUT_LEASE.toMillis())
                .update();
    }

    /** Reads all open deliveries, as a sweep does. */
    private void putBackLost() {
        long asked = nanoTime.getAsLong();
        if (asked - nextPutBack < 0) {
            return;
        }
        Map<Long, Long> lost;
        synchronized (lostClaims) {
            lost = new HashMap<>(lostClaims);
        }
        if (lost.isEmpty()) {
            return;
        }
        freed(withTime(() ->
                database.jdbc().sql(putBack).param("tokens", lost.keySet()).update()));
        nextPutBack = asked + pauseAfter(asked);
        synchronized (lostClaims) {
            lostClaims.values().removeIf(since -> asked - since > LOST_CLAIM_WATCHED.toNanos());
        }
    }

    private int withTime(Supplier<Integer> statement) {
        return database.inTransaction(SWEEP_LIMIT, () -> {
            database.limitIdleTime();
            return statement.get();
        });
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
