package io.credential.webhook.delivery.internal.history;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.credential.storage.internal.LogText;

/** Logs which jobs cannot be continued: once when a job begins to fail, and once when it no longer does. Thread-safe. */
final class FailingJobs {

    /** Stands for all jobs, if none can be continued. */
    static final String ALL = "all";

    private static final Logger LOG = LoggerFactory.getLogger(FailingJobs.class);

    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    /**
     * Returns whether the failure is reported: only when the job begins to fail.
     *
     * @param expected whether the failure may be caused by stopping; it is then not reported
     */
    boolean fails(String jobId, Throwable cause, boolean expected) {
        boolean report = !expected && failing.add(jobId);
        LOG.atLevel(report ? Level.WARN : Level.DEBUG)
                .setCause(cause)
                .log("Could not continue {} of webhook deliveries; trying again later", named(jobId));
        return report;
    }

    void works(String jobId) {
        if (failing.remove(jobId)) {
            LOG.info("Can continue {} of webhook deliveries again", named(jobId));
        }
    }

    private static String named(String jobId) {
        return jobId.equals(ALL) ? "bulk retries" : "the bulk retry " + LogText.of(jobId);
    }

    /** Forgets all jobs but these, which have not finished. */
    void retain(Collection<String> openIds) {
        failing.removeIf(jobId -> !jobId.equals(ALL) && !openIds.contains(jobId));
    }
}
