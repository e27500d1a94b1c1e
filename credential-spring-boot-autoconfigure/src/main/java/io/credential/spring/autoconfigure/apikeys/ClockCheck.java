package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.springframework.dao.DataAccessException;

import io.credential.internal.cluster.ClockComparison;

/** Keeps a node whose clock is wrong from removing keys that have not expired, or disabling keys that are not idle. */
final class ClockCheck {

    private final Supplier<Duration> difference;

    /** @param difference measures how much the clock of this node is ahead of that of the database */
    ClockCheck(Supplier<Duration> difference) {
        this.difference = difference;
    }

    /**
     * Returns whether the clock of this node is close to that of the database; if not, a warning says so.
     *
     * @param omitted the skipped action, for the log message, such as {@code purged}
     * @param interval the time until the next attempt
     */
    boolean isClose(Logger log, String omitted, Duration interval) {
        try {
            Duration ahead = difference.get();
            if (ahead.abs().compareTo(ClockComparison.LIMIT) < 0) {
                return true;
            }
            log.warn(
                    "The clock of this node is {} s {} that of the database, so no keys are {}: synchronize the clocks."
                            + " Trying again in {}",
                    ahead.abs().toSeconds(),
                    ahead.isNegative() ? "behind" : "ahead of",
                    omitted,
                    interval);
        } catch (DataAccessException e) {
            log.warn(
                    "Could not read the clock of the database, so no keys are {}; trying again in {}",
                    omitted,
                    interval,
                    e);
        }
        return false;
    }
}
