package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.NotLeaderException;
import io.credential.cluster.Leadership;
import io.credential.spring.autoconfigure.schedule.CredentialSchedule;

/** Removes old keys from every registry while this node is the leader. */
final class ApiKeyPurge {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeyPurge.class);
    /** Ensures that a node purges even if it is restarted more often than the interval. */
    private static final Duration MAX_FIRST_DELAY = Duration.ofMinutes(1);

    private static final String FIRST_DELAY = "credential.api-keys.purge-interval.first";
    private static final String INTERVAL = "credential.api-keys.purge-interval";

    private final ApiKeyRegistries registries;
    private final Leadership leadership;
    private final Duration interval;

    ApiKeyPurge(ApiKeyRegistries registries, Leadership leadership, Duration interval) {
        this.registries = registries;
        this.leadership = leadership;
        this.interval = interval;
    }

    void addTo(CredentialSchedule schedule) {
        Duration first = interval.compareTo(MAX_FIRST_DELAY) < 0 ? interval : MAX_FIRST_DELAY;
        schedule.add(this, Map.of(FIRST_DELAY, first, INTERVAL, interval));
    }

    /** Purges all registries. If one fails, the others are still purged. */
    @Scheduled(initialDelayString = "${" + FIRST_DELAY + "}", fixedDelayString = "${" + INTERVAL + "}")
    void run() {
        if (!leadership.isLeader()) {
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
