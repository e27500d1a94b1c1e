package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.NotLeaderException;
import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;

/** Removes old keys from every registry while this node is the leader. */
final class ApiKeyPurge {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeyPurge.class);

    private final ApiKeyRegistries registries;
    private final Leadership leadership;
    private final Duration interval;
    private final ClockCheck clock;

    ApiKeyPurge(ApiKeyRegistries registries, Leadership leadership, Duration interval, ClockCheck clock) {
        this.registries = registries;
        this.leadership = leadership;
        this.interval = interval;
        this.clock = clock;
    }

    void addTo(CredentialSchedule schedule) {
        schedule.add("credential.api-keys.purge", interval, this::run);
    }

    /** Purges all registries. If one fails, the others are still purged. */
    void run() {
        if (!leadership.isLeader() || !clock.isClose(LOG, "purged", interval)) {
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
}
