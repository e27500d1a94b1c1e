package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.NotificationListener;
import io.credential.seal.internal.Keyring;
import io.credential.storage.DatabaseFault;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;

/**
 * Leadership by a lease in a shared PostgreSQL database. One node holds it and renews it; when it stops renewing,
 * another takes over under a higher epoch. Changes are safe because {@link #requireLeader()} asks the database in the
 * transaction of the change; clocks and pauses of the nodes do not matter. Thread-safe.
 */
public final class LeaseLeadership implements Leadership, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLeadership.class);

    private static final String TOPIC = "leadership";
    private static final String RELEASED = "released";

    private static final int CHECKS_PER_LEASE = 10;

    private final CredentialDatabase database;
    private final LeaseSettings settings;
    private final LongSupplier nanoTime;
    private final String holder;
    private final LeaseRow row;
    private final OwnedSchedule renewal;
    private final OwnedSchedule expiryCheck;
    private final NodeNotifications notifications;
    private final Consumer<OptionalLong> observer;
    private final Object observerLock = new Object();
    private NodeNotifications.@Nullable Subscription releases;

    private volatile @Nullable Held held;
    private boolean closed;
    private boolean outageReported;

    /**
     * @param database a PostgreSQL database with its tables in place
     * @param keyring authenticates the id and the URL of the leader to other nodes; the same on all nodes
     * @param nanoTime a monotonic clock, {@code System::nanoTime}
     * @param random the source of a name for this incarnation of the node
     * @param notifications announce to other nodes that the lease was released, so that one of them takes over at once
     * @param observer gets the epoch under which this node is the leader, or empty if it is not: after each attempt to
     *     renew or to take over, ten times during a lease, and before {@link #close()} releases it; must return at once and
     *     throw nothing
     * @throws IllegalArgumentException if the database is not PostgreSQL
     */
    public LeaseLeadership(
            CredentialDatabase database,
            Keyring keyring,
            LeaseSettings settings,
            LongSupplier nanoTime,
            SecureRandom random,
            NodeNotifications notifications,
            Consumer<OptionalLong> observer) {
        this.database = database;
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.notifications = notifications;
        this.observer = observer;
        if (database.dialect() != SqlDialect.POSTGRESQL) {
            throw new IllegalArgumentException("Nodes can share only a PostgreSQL database, not " + database.dialect()
                    + ": set 'credential.mode' to single");
        }
        this.holder = LeaseRow.newHolder(settings.nodeId(), random);
        this.row = new LeaseRow(database, keyring, holder, settings);
        this.renewal = new OwnedSchedule("credential-lease", settings.duration(), this::tick);
        this.expiryCheck = new OwnedSchedule("credential-lease-watch", settings.duration(), this::notifyObserver);
    }

    /**
     * Takes part in the election: immediately, then periodically on a background thread.
     *
     * @throws IllegalStateException if it is running or closed
     */
    public synchronized void start() {
        if (closed || renewal.isRunning()) {
            throw new IllegalStateException(
                    "This leadership is running or closed: call start() once, and create a new one after close()");
        }
        releases = notifications.subscribe(TOPIC, new Release());
        tick();
        // A renewal can wait for the database much longer than the lease lasts: another thread checks for its end.
        Duration checkInterval = settings.duration().dividedBy(CHECKS_PER_LEASE);
        expiryCheck.start(checkInterval, checkInterval);
        // Until the schedule runs, a release of the lease or of its row does not trigger another attempt.
        Duration first = isLeader() ? settings.renewInterval() : Duration.ZERO;
        renewal.start(first, settings.renewInterval());
    }

    /** By this node's clock; turns empty no later than the lease ends. */
    @Override
    public OptionalLong epoch() {
        Held lease = held;
        return lease != null
                        && nanoTime.getAsLong() - lease.renewedAt()
                                < settings.duration().toNanos()
                ? OptionalLong.of(lease.epoch())
                : OptionalLong.empty();
    }

    /**
     * {@inheritDoc}
     *
     * <p>From then on, neither an idle period of the transaction nor any of its statements may take longer than a lease
     * lasts: the database would end the transaction, so that it does not block a takeover forever.
     *
     * @throws IllegalStateException if this thread is not in a transaction on the database of the lease
     */
    @Override
    public void requireLeader() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.hasResource(database.dataSource())) {
            throw new IllegalStateException("requireLeader() guards a transaction and must be called in one");
        }
        Held lease = held;
        if (lease == null || !row.guard(lease.epoch())) {
            throw row.refusal();
        }
    }

    /** Leaves the election. A lease is released, so that another node need not wait for it to expire. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (releases != null) {
                releases.close();
            }
        }
        // Not under this object's lock, which the renewal that is waited for may need.
        renewal.stop();
        expiryCheck.stop();
        Held lease = held;
        held = null;
        notifyObserver();
        if (lease != null) {
            release(lease.epoch());
        }
    }

    /** The lock keeps notifications in order. */
    private void notifyObserver() {
        synchronized (observerLock) {
            observer.accept(epoch());
        }
    }

    /** Tries once to renew or to take over. Never throws: the next attempt follows in any case. */
    void tick() {
        // Taken before the database is asked, so that this node's view never outlives the lease.
        long askedAt = nanoTime.getAsLong();
        try {
            Held before = held;
            Optional<Long> epoch = before != null && row.renew(before.epoch())
                    ? Optional.of(before.epoch())
                    : row.acquire(renewal::runSoon);
            settle(before, epoch.map(won -> new Held(won, askedAt)).orElse(null));
        } catch (RuntimeException | Error e) {
            reportOutage(e);
        }
        notifyObserver();
    }

    private synchronized void settle(@Nullable Held before, @Nullable Held now) {
        if (outageReported) {
            outageReported = false;
            LOG.info("Node {} can access the lease again", holder);
        }
        if (closed) {
            // An answer that came after close() had stopped waiting for it.
            held = null;
            if (now != null) {
                release(now.epoch());
            }
            return;
        }
        held = now;
        if (now != null && (before == null || before.epoch() != now.epoch())) {
            LOG.info("Node {} is the leader, epoch {}", holder, now.epoch());
        } else if (now == null && before != null) {
            LOG.warn("Node {} lost the leadership of epoch {}", holder, before.epoch());
        }
    }

    private synchronized void reportOutage(Throwable cause) {
        if (!outageReported) {
            outageReported = true;
            LOG.warn(
                    "Node {} could neither renew nor acquire the lease ({}); it keeps trying",
                    holder,
                    DatabaseFault.explain(cause),
                    cause);
        }
    }

    private void release(long epoch) {
        try {
            row.release(epoch);
            notifications.publish(TOPIC, RELEASED);
            LOG.info("Node {} gave up the leadership of epoch {}", holder, epoch);
        } catch (RuntimeException e) {
            LOG.warn("Node {} could not release its lease, which will expire", holder, e);
        }
    }

    /** Tries to take over, on the thread of the renewals. A leader has nothing to take over, whoever sent the message. */
    private final class Release implements NotificationListener {

        @Override
        public void received(String text) {
            missed();
        }

        @Override
        public void missed() {
            if (!isLeader()) {
                renewal.runSoon();
            }
        }
    }

    private record Held(long epoch, long renewedAt) {}
}
