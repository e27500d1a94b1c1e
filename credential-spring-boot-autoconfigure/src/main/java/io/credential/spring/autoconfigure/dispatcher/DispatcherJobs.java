package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;

import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.storage.internal.RepeatedWork;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** Schedules the periodic work of a dispatcher. */
final class DispatcherJobs {

    private static final Duration JOBS_INTERVAL = Duration.ofSeconds(10);
    private static final Duration STATISTICS_INTERVAL = Duration.ofSeconds(5);
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
     * Writes the statistics of a dispatcher, continues bulk retries that no node is working on, and removes or erases what it
     * need not keep.
     *
     * @param continueJobs continues bulk retries, or makes the dispatcher do so
     */
    static void maintain(CredentialSchedule schedule, JdbcWebhookDispatcher dispatcher, Runnable continueJobs) {
        schedule.add(
                "credential.webhook.statistics", STATISTICS_INTERVAL, STATISTICS_INTERVAL, dispatcher::flushStatistics);
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
                new RepeatedWork(
                        "Could not remove old webhook deliveries; retrying every hour", dispatcher::removeExpired));
    }
}
