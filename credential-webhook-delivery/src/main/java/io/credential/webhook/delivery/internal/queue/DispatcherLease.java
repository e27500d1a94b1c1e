package io.credential.webhook.delivery.internal.queue;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.secret.internal.RandomHex;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.RepeatedWork;

/**
 * Shows other nodes that this node is alive: a row that is renewed every second while there are claims, and for a while
 * after. Others end the lease and take the claims over when they have seen the row unchanged for {@link
 * SilenceDetector#SILENCE}. An attempt may start only within that time after a renewal. Whether an outcome is stored depends
 * on the token of its claim, not on the lease. Except for a while after its start, an idle dispatcher has no lease, and runs
 * no statement for it. Thread-safe.
 */
public final class DispatcherLease {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherLease.class);

    private static final Duration RENEWAL = Duration.ofSeconds(1);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    /** Long enough for an otherwise idle node to notice that another node has died. */
    private static final Duration KEPT_UNUSED = Duration.ofSeconds(15);

    /** Twice the longest time between two rounds of the background work. */
    private static final Duration WORKS_AFTER_ROUND = Duration.ofSeconds(30);

    /** A lease that expired longer ago than this is abandoned: no node pauses that long. */
    private static final Duration ABANDONED = Duration.ofDays(1);

    private static final int LEASE_ID_BYTES = 8;

    private static final String INSERT = """
            INSERT INTO _credential_leases (name, holder, epoch, expires_at)
            VALUES (:name, :holder, 1, {now} + :duration)""";

    private static final String RENEW = """
            UPDATE _credential_leases SET epoch = epoch + 1, holder = :holder, expires_at = {now} + :duration
            WHERE name = :name""";

    /** Includes leases that no other node ends, because nothing uses their tables any more. */
    private static final String DELETE = """
            DELETE FROM _credential_leases
            WHERE name = :name OR (name LIKE '%s%%' AND expires_at < {now} - :abandoned)""".formatted(NodeLeases.PREFIX);

    private final CredentialDatabase database;
    private final NodeLeases leases;
    private final RandomHex random;
    private final LiveNodes nodes;
    private final BooleanSupplier hasClaims;
    private final Predicate<String> scan;
    private final Runnable takeOver;
    private final OwnedSchedule renewals = new OwnedSchedule(
            "credential-webhook-lease",
            STOP_DEADLINE,
            repeated("renew the lease of this node on webhook deliveries", this::tick));
    private final OwnedSchedule watch = new OwnedSchedule(
            "credential-webhook-watch", STOP_DEADLINE, repeated("look for nodes that have died", this::watch));
    private final OwnedSchedule recovery = new OwnedSchedule(
            "credential-webhook-recovery",
            STOP_DEADLINE,
            repeated("take over webhook deliveries of other nodes", this::recover));
    private final String insert;
    private final String renew;
    private final String delete;
    /** Not a monitor, which would pin virtual threads while its holder waits for the database. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Held held;
    private volatile long usedAt;
    private volatile @Nullable Long workedAt;
    private final AtomicInteger failures = new AtomicInteger();
    private @Nullable RuntimeException lastFailure;
    private boolean closed;

    /**
     * @param nodes learns of each new lease, and of its end
     * @param hasClaims returns whether there are claims that others must not take over
     * @param scan called with the name of the lease every second, on one thread; returns whether to call {@code takeOver}
     * @param takeOver called while this node has a lease, every second and after such a scan, on another thread
     */
    public DispatcherLease(
            DispatcherContext context,
            LiveNodes nodes,
            BooleanSupplier hasClaims,
            Predicate<String> scan,
            Runnable takeOver) {
        this.database = context.database();
        this.leases = new NodeLeases(database, context.tables());
        this.random = new RandomHex(context.random());
        this.nodes = nodes;
        this.hasClaims = hasClaims;
        this.scan = scan;
        this.takeOver = takeOver;
        String now = database.dialect().now();
        this.insert = INSERT.replace("{now}", now);
        this.renew = RENEW.replace("{now}", now);
        this.delete = DELETE.replace("{now}", now);
    }

    /**
     * Returns the id of the lease to claim under: a new one if the lease of the last was not renewed in time.
     *
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException likewise
     * @throws IllegalStateException after {@link #close}
     */
    public String leaseId() {
        usedAt = System.nanoTime();
        Held now = validLease();
        if (now != null) {
            return now.leaseId();
        }
        int failuresBefore = failures.get();
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("The webhook dispatcher is closed");
            }
            watch.start(RENEWAL, RENEWAL);
            recovery.start(RENEWAL, RENEWAL);
            renewals.start(RENEWAL, RENEWAL); // even if this fails: the row may exist, and must be renewed then
            return acquire(failuresBefore);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes that this node claims pending deliveries, whichever node stored them. Others learn of it with the next renewal,
     * and reduce their shares of what all may send together. Returns immediately.
     */
    public void noteWork() {
        workedAt = System.nanoTime();
    }

    private boolean works() {
        Long since = workedAt;
        return since != null && System.nanoTime() - since < WORKS_AFTER_ROUND.toNanos();
    }

    /** Returns whether this node holds the lease with this id, so that attempts under its claims may start. */
    public boolean isHeld(String leaseId) {
        Held now = validLease();
        return now != null && now.leaseId().equals(leaseId);
    }

    /** Returns the id of the lease to claim under if this node holds it. Runs no statement. */
    public Optional<String> heldLeaseId() {
        usedAt = System.nanoTime();
        return Optional.ofNullable(validLease()).map(Held::leaseId);
    }

    /** Ends the lease and its renewals, so that others can take over what is still claimed. */
    public void release() {
        watch.stop();
        recovery.stop();
        renewals.stop();
        lock.lock();
        try {
            drop();
        } finally {
            lock.unlock();
        }
    }

    /** Releases the lease permanently. */
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        release();
    }

    private @Nullable Held validLease() {
        Held now = held;
        return now != null && now.isValid() ? now : null;
    }

    private String acquire(int failuresBefore) {
        Held now = held;
        if (now != null && now.isValid()) {
            return now.leaseId();
        }
        if (failures.get() != failuresBefore) {
            // Another caller failed while this one waited for the lock; it would only wait for the same failure again.
            throw Objects.requireNonNull(lastFailure);
        }
        boolean wasInterrupted = Thread.interrupted(); // would fail the statement, and with it the callers that wait
        try {
            return now != null && renew(now) ? now.leaseId() : acquireNew();
        } catch (DataAccessException | TransactionException e) {
            if (!Thread.currentThread().isInterrupted()) {
                lastFailure = e;
                failures.incrementAndGet();
            }
            throw e;
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String acquireNew() {
        String leaseId = random.next(LEASE_ID_BYTES);
        long asked = System.nanoTime();
        boolean works = works();
        database.write(() -> database.jdbc()
                .sql(insert)
                .param("name", NodeLeases.PREFIX + leaseId)
                .param("holder", leases.holder(works))
                .param("duration", SilenceDetector.SILENCE.toMillis())
                .update());
        join(leaseId);
        held = new Held(leaseId, works, asked + SilenceDetector.SILENCE.toNanos());
        return leaseId;
    }

    /** After the lease is visible: of two nodes that join at the same time, at least one sees the other. */
    private void join(String leaseId) {
        nodes.joined(NodeLeases.PREFIX + leaseId, leases.all());
    }

    private static RepeatedWork repeated(String purpose, Runnable work) {
        return new RepeatedWork("Could not " + purpose + "; trying again every " + RENEWAL, work);
    }

    private void tick() {
        if (!lock.tryLock()) {
            return; // whoever has it may wait for the end of this schedule
        }
        try {
            Held now = held;
            if (now == null) {
                return;
            }
            if (System.nanoTime() - usedAt > KEPT_UNUSED.toNanos() && !hasClaims.getAsBoolean()) {
                drop();
                return;
            }
            var unused = renew(now);
        } finally {
            lock.unlock();
        }
    }

    /** On a separate thread: renewals must not wait for it. */
    private void watch() {
        Held now = validLease();
        if (now != null && scan.test(NodeLeases.PREFIX + now.leaseId())) {
            recovery.runSoon();
        }
    }

    /** On a third thread: it may take minutes. */
    private void recover() {
        if (validLease() != null) {
            takeOver.run();
        }
    }

    /** Returns false if another node has ended the lease. */
    private boolean renew(Held now) {
        long asked = System.nanoTime();
        boolean works = works();
        int renewed = database.write(() -> database.jdbc()
                .sql(renew)
                .param("name", NodeLeases.PREFIX + now.leaseId())
                .param("holder", leases.holder(works))
                .param("duration", SilenceDetector.SILENCE.toMillis())
                .update());
        if (renewed == 0) {
            LOG.warn(
                    "This node did not renew its lease on webhook deliveries in time; other nodes have taken them over");
            held = null;
            nodes.left();
            return false;
        }
        if (works && !now.works()) {
            join(now.leaseId());
        }
        held = new Held(now.leaseId(), works, asked + SilenceDetector.SILENCE.toNanos());
        return true;
    }

    private void drop() {
        Held now = held;
        held = null; // before the row is deleted: from now on, no attempt under its claims may start
        if (now == null) {
            return;
        }
        nodes.left();
        try {
            database.write(() -> database.jdbc()
                    .sql(delete)
                    .param("name", NodeLeases.PREFIX + now.leaseId())
                    .param("abandoned", ABANDONED.toMillis())
                    .update());
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("Could not remove the lease on webhook deliveries; other nodes take over when it expires", e);
        }
    }

    private record Held(String leaseId, boolean works, long validUntilNanos) {

        boolean isValid() {
            return System.nanoTime() - validUntilNanos < 0;
        }
    }
}
