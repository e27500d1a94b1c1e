package io.credential.spring.autoconfigure.database;

import java.time.Duration;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import io.credential.internal.cluster.ClockComparison;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;

/**
 * Refuses to start a node of a cluster whose clock is far from that of the database, and warns of a smaller difference,
 * also while the node runs. A running node is never stopped. Thread-safe.
 */
final class ClockWatch {

    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

    private static final Duration WARNING_THRESHOLD = Duration.ofSeconds(5);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Supplier<Duration> difference;
    private boolean warned;

    /** @param difference measures how much the clock of this node is ahead of that of the database */
    ClockWatch(Supplier<Duration> difference) {
        this.difference = difference;
    }

    /**
     * Compares the clocks.
     *
     * @throws CredentialConfigurationException if the difference is 60 seconds or more
     */
    void requireClose() {
        Duration measured = difference.get();
        if (measured.abs().compareTo(ClockComparison.LIMIT) >= 0) {
            throw new CredentialConfigurationException(
                    "The clock of this node is " + text(measured)
                            + " that of the database, but cluster mode requires a difference of less than "
                            + ClockComparison.LIMIT.toSeconds() + " s.",
                    "Synchronize the clocks of all nodes and of the database server, for example by NTP, and start again.");
        }
        warnOf(measured);
    }

    /** Compares the clocks from now on. */
    void addTo(CredentialSchedule schedule) {
        schedule.add("credential.cluster.clock", INTERVAL, this::run);
    }

    /** Compares the clocks, and warns once for each time that they drift apart. */
    void run() {
        try {
            warnOf(difference.get());
        } catch (DataAccessException e) {
            LOG.debug("The clock of the database could not be read; it is read again in {}", INTERVAL, e);
        }
    }

    private synchronized void warnOf(Duration measured) {
        boolean far = measured.abs().compareTo(WARNING_THRESHOLD) >= 0;
        if (far && !warned) {
            LOG.warn(
                    "The clock of this node is {} that of the database. Keys, signatures and retries depend on it:"
                            + " synchronize the clocks of all nodes and of the database server, for example by NTP. With a"
                            + " difference of {} s or more, this node would not start",
                    text(measured),
                    ClockComparison.LIMIT.toSeconds());
        }
        warned = far;
    }

    private static String text(Duration difference) {
        return difference.abs().toSeconds() + " s " + (difference.isNegative() ? "behind" : "ahead of");
    }
}
