package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.NotLeaderException;
import io.credential.internal.cluster.ClockComparison;
import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;

/** Removes old keys from every registry while this node is the leader. */
final class ApiKeyPurge {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeyPurge.class);

    private final ApiKeyRegistries registries;
    private final Leadership leadership;
    private final Duration interval;
    private final Supplier<Duration> clockDifference;

    /** @param clockDifference measures how much the clock of this node is ahead of that of the database */
    ApiKeyPurge(
            ApiKeyRegistries registries, Leadership leadership, Duration interval, Supplier<Duration> clockDifference) {
        this.registries = registries;
        this.leadership = leadership;
        this.interval = interval;
        this.clockDifference = clockDifference;
    }

    void addTo(CredentialSchedule schedule) {
        schedule.add("credential.api-keys.purge", interval, this::run);
    }

    /** Purges all registries. If one fails, the others are still purged. */
    void run() {
        if (!leadership.isLeader() || !isClockClose()) {
            return;
        }
        for (ApiKeyRegistry registry : registries.all()) {
            try {
                int purged = registry.purgeExpired();
                if (purged > 0) {
                    LOG.info("Purged {} keys of registry '{}'", purged, registry.namespace());
                }
            } catch (NotLeaderException e) {
                LOG.debug("Leadership was lost; the new leader purges", e);
                return;
            } catch (RuntimeException e) {
                LOG.warn("Could not purge registry '{}'; trying again in {}", registry.namespace(), interval, e);
            }
        }
    }

    /** A clock that is ahead would have keys removed that have not expired. */
    private boolean isClockClose() {
        try {
            Duration difference = clockDifference.get();
            if (difference.abs().compareTo(ClockComparison.LIMIT) < 0) {
                return true;
            }
            LOG.warn(
                    "The clock of this node is {} s {} that of the database, so no keys are purged: synchronize the clocks."
                            + " Trying again in {}",
                    difference.abs().toSeconds(),
                    difference.isNegative() ? "behind" : "ahead of",
                    interval);
        } catch (DataAccessException e) {
            LOG.warn(
                    "Could not read the clock of the database, so no keys are purged; trying again in {}", interval, e);
        }
        return false;
    }
}
