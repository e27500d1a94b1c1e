package io.credential.webhook.delivery.queue;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.concurrent.OwnedSchedule;
import io.credential.secret.RandomHex;
import io.credential.storage.CredentialDatabase;

/**
 * Shows other nodes that the owner of claims is alive: a row that is renewed every second while there are claims, and for a
 * while after. Others take the claims over when they have watched the row unchanged for {@link SilenceDetector#SILENCE}, and
 * end the lease before. An attempt may start only within that time after a renewal. Which claim may store an outcome is
 * decided by its token. An idle dispatcher has no lease, and no statement is run for it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DispatcherLease {

    /** Of the names of leases; an incarnation follows. */
    static final String PREFIX = "webhook-dispatcher/";

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherLease.class);

    private static final Duration RENEWAL = Duration.ofSeconds(1);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    /** Long enough to see another node die, though there is nothing else to do. */
    private static final Duration KEPT_UNUSED = Duration.ofSeconds(15);

    private static final int INCARNATION_BYTES = 8;

    private static final String INSERT = """
            INSERT INTO _credential_leases (name, holder, epoch, expires_at)
            VALUES (:name, :holder, 1, {now} + :duration)""";

    private static final String RENEW = """
            UPDATE _credential_leases SET epoch = epoch + 1, expires_at = {now} + :duration WHERE name = :name""";

    private static final String DELETE = "DELETE FROM _credential_leases WHERE name = :name";

    private final CredentialDatabase database;
    private final RandomHex random;
    private final BooleanSupplier hasClaims;
    private final Consumer<String> whileHeld;
    private final OwnedSchedule renewals = new OwnedSchedule(
            "credential-webhook-lease",
            STOP_DEADLINE,
            new Round("renew the lease of this node on webhook deliveries", this::tick));
    private final OwnedSchedule watch = new OwnedSchedule(
            "credential-webhook-recovery",
            STOP_DEADLINE,
            new Round("take over webhook deliveries of other nodes", this::watch));
    private final String insert;
    private final String renew;
    /** No monitor: virtual threads wait for it, and its holder waits for the database. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Held held;
    private volatile long usedAt;
    private final AtomicInteger failures = new AtomicInteger();
    private @Nullable RuntimeException lastFailure;

    /**
     * @param hasClaims whether there are claims that others must not take over
     * @param whileHeld told the name of the lease every second, on one thread
     */
    public DispatcherLease(
            CredentialDatabase database, RandomHex random, BooleanSupplier hasClaims, Consumer<String> whileHeld) {
        this.database = database;
        this.random = random;
        this.hasClaims = hasClaims;
        this.whileHeld = whileHeld;
        String now = database.dialect().now();
        this.insert = INSERT.replace("{now}", now);
        this.renew = RENEW.replace("{now}", now);
    }

    /**
     * The incarnation to claim under, a fresh one if the last was not renewed in time.
     *
     * @throws DataAccessException if the database does not answer
     * @throws TransactionException likewise
     */
    public String incarnation() {
        usedAt = System.nanoTime();
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
            watch.start(RENEWAL, RENEWAL);
            renewals.start(RENEWAL, RENEWAL); // also when it failed after the row was there, which must be renewed then
        }
    }

    /** Whether an incarnation is still this dispatcher's, so that an attempt under its claim may start. */
    public boolean isHeld(String incarnation) {
        Held now = held;
        return now != null && now.incarnation().equals(incarnation) && now.isValid();
    }

    /** Whether there is an incarnation at the moment. */
    public boolean isHeld() {
        Held now = held;
        return now != null && now.isValid();
    }

    /** Lets others take over what is still claimed, and ends the renewals. */
    public void release() {
        watch.stop();
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
            return now != null && renew(now) ? now.incarnation() : acquireNew();
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
                .param("duration", SilenceDetector.SILENCE.toMillis())
                .update());
        held = new Held(incarnation, asked + SilenceDetector.SILENCE.toNanos());
        return incarnation;
    }

    private void tick() {
        lock.lock();
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

    /** Apart from the renewals, which must not wait for it. */
    private void watch() {
        Held now = held;
        if (now != null && now.isValid()) {
            whileHeld.accept(PREFIX + now.incarnation());
        }
    }

    /** False when others have ended the lease. */
    private boolean renew(Held now) {
        long asked = System.nanoTime();
        int renewed = database.autoCommit(() -> database.jdbc()
                .sql(renew)
                .param("name", PREFIX + now.incarnation())
                .param("duration", SilenceDetector.SILENCE.toMillis())
                .update());
        if (renewed == 0) {
            LOG.warn("This node did not renew its lease on webhook deliveries in time; others have taken them over");
            held = null;
            return false;
        }
        held = new Held(now.incarnation(), asked + SilenceDetector.SILENCE.toNanos());
        return true;
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
            LOG.debug("The lease on webhook deliveries was not removed; others see that it is not renewed", e);
        }
    }

    /** During an outage it fails every second, which is worth one log line. */
    private static final class Round implements Runnable {

        private final String purpose;
        private final Runnable work;
        private boolean failing;

        Round(String purpose, Runnable work) {
            this.purpose = purpose;
            this.work = work;
        }

        @Override
        public void run() {
            try {
                work.run();
                failing = false;
            } catch (DataAccessException | TransactionException e) {
                LOG.atLevel(failing ? Level.DEBUG : Level.WARN)
                        .setCause(e)
                        .log("Could not {}; trying again every {}", purpose, RENEWAL);
                failing = true;
            }
        }
    }

    private record Held(String incarnation, long validUntilNanos) {

        boolean isValid() {
            return System.nanoTime() - validUntilNanos < 0;
        }
    }
}
