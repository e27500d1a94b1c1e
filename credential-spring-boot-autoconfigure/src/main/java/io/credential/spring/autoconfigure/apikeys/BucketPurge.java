package io.credential.spring.autoconfigure.apikeys;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.internal.cluster.Leadership;
import io.credential.ratelimit.internal.JdbcBucketStore;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;

/** Removes buckets that are no longer used, while this node is the leader. */
final class BucketPurge {

    private static final Logger LOG = LoggerFactory.getLogger(BucketPurge.class);

    private final JdbcBucketStore store;
    private final Leadership leadership;
    private final Duration interval;

    BucketPurge(JdbcBucketStore store, Leadership leadership, Duration interval) {
        this.store = store;
        this.leadership = leadership;
        this.interval = interval;
    }

    void addTo(CredentialSchedule schedule) {
        schedule.add("credential.api-keys.rate-limits.purge", interval, this::run);
    }

    void run() {
        if (!leadership.isLeader()) {
            return;
        }
        try {
            LOG.debug("Purged {} buckets of rate limits", store.purgeExpired());
        } catch (RuntimeException e) {
            LOG.warn("Could not purge the buckets of rate limits; trying again in {}", interval, e);
        }
    }
}
