package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;

import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.storage.internal.RepeatedWork;

/** Schedules the periodic work of a dispatcher. */
final class DispatcherJobs {

    private static final Duration JOBS_INTERVAL = Duration.ofSeconds(10);
    private static final Duration RETENTION_INTERVAL = Duration.ofHours(1);

    private DispatcherJobs() {}

    /**
     * Polls a dispatcher, or processes its retries.
     *
     * @param name of the dispatcher's bean, for the log
     */
    static void poll(CredentialSchedule schedule, Duration interval, String name, Runnable poll) {
        String problem =
                "Could not process the retries of the webhook dispatcher '" + name + "'; retrying every " + interval;
        schedule.add("credential.webhook.poll", Duration.ZERO, interval, new RepeatedWork(problem, poll));
    }

    /**
     * Continues bulk retries of a dispatcher that no node is working on, and removes or erases what it need not keep.
     *
     * @param continueJobs continues bulk retries, or makes the dispatcher do so
     */
    static void maintain(CredentialSchedule schedule, Runnable continueJobs, Runnable removeExpired) {
        schedule.add(
                "credential.webhook.jobs",
                Duration.ZERO,
                JOBS_INTERVAL,
                new RepeatedWork(
                        "Could not continue bulk retries of webhook deliveries; retrying every ten seconds",
                        continueJobs));
        schedule.add(
                "credential.webhook.retention",
                RETENTION_INTERVAL,
                RETENTION_INTERVAL,
                new RepeatedWork("Could not remove old webhook deliveries; retrying every hour", removeExpired));
    }
}
