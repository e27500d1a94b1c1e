package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.NotLeaderException;
import io.credential.cluster.Leadership;
import io.credential.concurrent.OwnedSchedule;
import io.credential.spring.autoconfigure.CredentialPhases;

/**
 * Removes old keys from every registry while this node is the leader. Runs on a private thread: the application's
 * scheduler is not used, and none is published.
 */
final class ApiKeyPurge implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(ApiKeyPurge.class);
    /** Also where a node is restarted more often than the interval, the purge gets its turn. */
    private static final Duration LONGEST_FIRST_DELAY = Duration.ofMinutes(1);

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(10);

    private final ApiKeyRegistries registries;
    private final Leadership leadership;
    private final Duration interval;
    private final OwnedSchedule schedule = new OwnedSchedule("credential-api-key-purge", STOP_DEADLINE, this::run);

    ApiKeyPurge(ApiKeyRegistries registries, Leadership leadership, Duration interval) {
        this.registries = registries;
        this.leadership = leadership;
        this.interval = interval;
    }

    @Override
    public void start() {
        Duration first = interval.compareTo(LONGEST_FIRST_DELAY) < 0 ? interval : LONGEST_FIRST_DELAY;
        schedule.start(first, interval);
    }

    /** One round. A registry that fails does not keep the others from being purged. */
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

    @Override
    public void stop() {
        schedule.stop();
    }

    @Override
    public boolean isRunning() {
        return schedule.isRunning();
    }

    @Override
    public int getPhase() {
        return CredentialPhases.BACKGROUND_WORK;
    }
}
