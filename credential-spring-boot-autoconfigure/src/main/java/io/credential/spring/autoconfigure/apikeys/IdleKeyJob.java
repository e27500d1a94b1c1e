package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.apikey.NotLeaderException;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.internal.cluster.Leadership;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;

/** Disables the idle keys of every registry with {@code disable-after-idle}, while this node is the leader. */
final class IdleKeyJob {

    private static final Logger LOG = LoggerFactory.getLogger(IdleKeyJob.class);

    /** Each run reads all keys. */
    private static final Duration INTERVAL = Duration.ofHours(1);

    private final JdbcApiKeyRegistries registries;
    private final Leadership leadership;
    private final ClockCheck clock;
    private final IdleKeyListener listener;

    IdleKeyJob(JdbcApiKeyRegistries registries, Leadership leadership, ClockCheck clock, IdleKeyListener listener) {
        this.registries = registries;
        this.leadership = leadership;
        this.clock = clock;
        this.listener = listener;
    }

    void addTo(CredentialSchedule schedule) {
        schedule.add("credential.api-keys.idle", INTERVAL, this::run);
    }

    void run() {
        if (!leadership.isLeader() || !clock.isClose(LOG, "disabled as idle", INTERVAL)) {
            return;
        }
        try {
            registries.disableIdle(listener::idle);
        } catch (NotLeaderException e) {
            LOG.debug("Leadership was lost; the new leader disables idle keys", e);
        } catch (RuntimeException e) {
            LOG.warn("Could not disable all idle API keys; trying again in {}", INTERVAL, e);
        }
    }
}
