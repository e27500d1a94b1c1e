package io.credential.webhook.delivery.internal.engine;

import java.time.InstantSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.webhook.delivery.internal.queue.DeliveryQueue;
import io.credential.webhook.delivery.internal.queue.DispatcherLease;
import io.credential.webhook.delivery.internal.queue.OpenDeliveries;

/** Scans the table of deliveries for what is due, at the pace of {@link ScanPace}. Thread-safe. */
final class TableScanner {

    private static final Logger LOG = LoggerFactory.getLogger(TableScanner.class);

    private final DeliveryQueue queue;
    private final DueSignals signals;
    private final DispatcherLease lease;
    private final InstantSource clock;
    private volatile boolean foundSuspect;
    private volatile boolean hasJustStarted;
    private volatile @Nullable RuntimeException failure;
    private volatile boolean reportedFailure;

    TableScanner(DeliveryQueue queue, DueSignals signals, DispatcherLease lease, InstantSource clock) {
        this.queue = queue;
        this.signals = signals;
        this.lease = lease;
        this.clock = clock;
    }

    /** Requests the first scan after a start. */
    void start() {
        hasJustStarted = true;
        signals.pace().poll();
    }

    /** @param round told if the scan fails */
    void scanIfDue(RetryRound round) {
        if (signals.dueEndpoints().mustScan() || signals.pace().isDue()) {
            try {
                var unused = scan();
            } catch (RuntimeException e) {
                round.failed(e);
            }
        }
    }

    /** Returns why the last scan failed; null if it succeeded. */
    @Nullable RuntimeException failure() {
        return failure;
    }

    /** Logs a failure, once. */
    void reportFailure() {
        RuntimeException failed = failure;
        if (failed != null && !reportedFailure) {
            reportedFailure = true;
            LOG.warn(
                    "Could not look for due webhook deliveries; only those known to this node are attempted: {}",
                    failed.toString());
        }
    }

    boolean foundSuspect() {
        return foundSuspect;
    }

    void noteSuspect(boolean found) {
        foundSuspect = found;
    }

    /**
     * Returns whether anything is open. The lease is then kept, so that this node notices if nodes that work on it die. After a
     * start, it is acquired in any case: claims of a crashed node on deliveries of paused endpoints are not found open.
     */
    boolean scan() {
        long begun = signals.pace().begin();
        try {
            OpenDeliveries found = read();
            signals.pace().end(begun, found.holdsOpen());
            if (found.holdsOpen() || hasJustStarted) {
                var unused = lease.leaseId();
                hasJustStarted = false;
            }
            failure = null;
            reportedFailure = false;
            return found.holdsOpen();
        } catch (RuntimeException | Error e) {
            signals.pace().failed(begun);
            failure = e instanceof RuntimeException failed ? failed : new IllegalStateException(e);
            throw e;
        }
    }

    private OpenDeliveries read() {
        long until = clock.millis() + ScanPace.LONGEST_PAUSE.toMillis();
        long number = signals.dueEndpoints().beginScan();
        OpenDeliveries found = queue.scan(until);
        signals.dueEndpoints().endScan(number, until, found.dueAts());
        signals.admission().rates().learn(found.dueAts().keySet(), found.rateLimits());
        foundSuspect = found.holdsSuspects();
        return found;
    }
}
