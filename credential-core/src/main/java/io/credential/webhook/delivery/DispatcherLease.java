package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.concurrent.OwnedSchedule;
import io.credential.secret.RandomHex;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SqlDialect;

/**
 * Tells other nodes that the owner of claims is alive: a row that is renewed while there are claims, by the database's
 * clock. When it expires, others take the claims over. Which claim may store an outcome is decided by its token and not
 * here; the lease only makes a takeover quick. An idle dispatcher has none, and no statement is run for it. Thread-safe.
 */
final class DispatcherLease {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherLease.class);

    private static final Duration DURATION = Duration.ofSeconds(10);
    private static final Duration RENEWAL = Duration.ofSeconds(3);
    private static final String PREFIX = "webhook-dispatcher/";
    private static final int INCARNATION_BYTES = 8;
    private static final int MAX_REMEMBERED = 100;

    private static final String INSERT = """
            INSERT INTO _credential_leases (name, holder, epoch, expires_at)
            VALUES (:name, :holder, 1, {now} + :duration)""";

    private static final String RENEW = """
            UPDATE _credential_leases SET expires_at = {now} + :duration WHERE name = :name AND expires_at > {now}""";

    private static final String DELETE = "DELETE FROM _credential_leases WHERE name = :name";

    /** A claim without a row counts as left behind as well as one with an expired row. */
    private static final String DELETE_EXPIRED =
            "DELETE FROM _credential_leases WHERE name LIKE '" + PREFIX + "%' AND expires_at <= {now} - :duration";

    private static final String FIND_ALIVE = "SELECT substr(name, " + (PREFIX.length() + 1)
            + ") FROM _credential_leases WHERE name LIKE '" + PREFIX + "%' AND expires_at > {now}";

    private final CredentialDatabase database;
    private final RandomHex random;
    private final BooleanSupplier hasClaims;
    private final OwnedSchedule renewals = new OwnedSchedule("credential-webhook-lease", DURATION, this::tick);
    private final String insert;
    private final String renew;
    private final String deleteExpired;
    private final String findAlive;
    /** No monitor: virtual threads wait for it, and its holder waits for the database. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Set<String> own = new LinkedHashSet<>();
    private volatile @Nullable Held held;
    private volatile Set<String> alive = Set.of();
    private volatile boolean used;
    private final AtomicInteger failures = new AtomicInteger();
    private @Nullable RuntimeException lastFailure;

    /**
     * @param hasClaims whether there are claims that others must not take over
     */
    DispatcherLease(CredentialDatabase database, RandomHex random, BooleanSupplier hasClaims) {
        this.database = database;
        this.random = random;
        this.hasClaims = hasClaims;
        String now = database.dialect().now();
        this.insert = INSERT.replace("{now}", now);
        this.renew = RENEW.replace("{now}", now);
        this.deleteExpired = DELETE_EXPIRED.replace("{now}", now);
        this.findAlive = FIND_ALIVE.replace("{now}", now);
    }

    /**
     * The incarnation to claim under, a fresh one if the last was not renewed in time.
     *
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException likewise
     */
    String incarnation() {
        used = true;
        Held now = held;
        if (now != null && now.isValid()) {
            return now.incarnation();
        }
        int failuresBefore = failures.get();
        lock.lock();
        try {
            return acquire(failuresBefore);
        } finally {
            lock.unlock();
            renewals.start(RENEWAL, RENEWAL); // also when it failed after the row was there, which must be renewed then
        }
    }

    /** Whether an incarnation is still this dispatcher's, so that an attempt under its claim may start. */
    boolean isHeld(String incarnation) {
        Held now = held;
        return now != null && now.incarnation().equals(incarnation) && now.isValid();
    }

    /** Whether there is an incarnation at the moment. */
    boolean isHeld() {
        Held now = held;
        return now != null && now.isValid();
    }

    /**
     * Owners that were alive lately, this dispatcher among them, also as what it was before it lost a lease: it still
     * attempts what it claimed then, and must not begin it a second time.
     */
    Set<String> alive() {
        return alive;
    }

    /** Lets others take over at once what is still claimed, and ends the renewals. */
    void release() {
        renewals.stop();
        lock.lock();
        try {
            drop();
        } finally {
            lock.unlock();
        }
    }

    private String acquire(int failuresBefore) {
        Held now = held;
        if (now != null && now.isValid()) {
            return now.incarnation();
        }
        if (failures.get() != failuresBefore) {
            // It failed for another while this one waited, and would wait as long for the same failure again.
            throw Objects.requireNonNull(lastFailure);
        }
        try {
            return acquireNew();
        } catch (DataAccessException | TransactionException e) {
            lastFailure = e;
            failures.incrementAndGet();
            throw e;
        }
    }

    private String acquireNew() {
        String incarnation = random.next(INCARNATION_BYTES);
        long asked = System.nanoTime();
        database.autoCommit(() -> database.jdbc()
                .sql(insert)
                .param("name", PREFIX + incarnation)
                .param("holder", incarnation)
                .param("duration", DURATION.toMillis())
                .update());
        held = new Held(incarnation, asked + DURATION.toNanos());
        lastFailure = null;
        remember(incarnation);
        alive = Set.copyOf(own);
        try {
            findOthers();
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("Could not look for other nodes; trying again at the next renewal", e);
        }
        return incarnation;
    }

    private void remember(String incarnation) {
        if (!hasClaims.getAsBoolean()) {
            own.clear();
        } else if (own.size() == MAX_REMEMBERED) {
            own.remove(own.iterator().next());
        }
        own.add(incarnation);
    }

    private void tick() {
        lock.lock();
        try {
            renewOrDrop();
        } finally {
            lock.unlock();
        }
    }

    private void renewOrDrop() {
        Held now = held;
        if (now == null) {
            return;
        }
        if (!used && !hasClaims.getAsBoolean()) {
            drop();
            return;
        }
        used = false;
        long asked = System.nanoTime();
        int renewed = database.autoCommit(() -> database.jdbc()
                .sql(renew)
                .param("name", PREFIX + now.incarnation())
                .param("duration", DURATION.toMillis())
                .update());
        if (renewed == 1) {
            held = new Held(now.incarnation(), asked + DURATION.toNanos());
            findOthers();
        } else {
            LOG.warn("This node did not renew its lease on webhook deliveries in time; others may take them over");
            held = null;
        }
    }

    /** Before the row is gone: an attempt under the claims of this incarnation must not start from now on. */
    private void drop() {
        Held now = held;
        held = null;
        if (now == null) {
            return;
        }
        try {
            database.autoCommit(() -> database.jdbc()
                    .sql(DELETE)
                    .param("name", PREFIX + now.incarnation())
                    .update());
        } catch (DataAccessException | TransactionException e) {
            LOG.debug("The lease on webhook deliveries was not removed; it will expire", e);
        }
    }

    /** Removes rows that expired long ago, and remembers who is alive. */
    private void findOthers() {
        database.autoCommit(() -> database.jdbc()
                .sql(deleteExpired)
                .param("duration", DURATION.toMillis())
                .update());
        Set<String> found = database.read(() ->
                new HashSet<>(database.jdbc().sql(findAlive).query(String.class).list()));
        found.addAll(own);
        alive = Set.copyOf(found);
    }

    /** Within a statement in which {@code d} is a claimed delivery: finds a row if its owner is alive. */
    static String findOwnerAlive(SqlDialect dialect) {
        return "SELECT 1 FROM _credential_leases l WHERE l.name = '" + PREFIX + "' || d.claim_owner AND l.expires_at > "
                + dialect.now();
    }

    private record Held(String incarnation, long validUntilNanos) {

        boolean isValid() {
            return System.nanoTime() - validUntilNanos < 0;
        }
    }
}
