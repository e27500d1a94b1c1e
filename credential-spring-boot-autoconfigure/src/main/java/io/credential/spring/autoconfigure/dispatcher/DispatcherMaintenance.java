package io.credential.spring.autoconfigure.dispatcher;

import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.annotation.Scheduled;

/** Continues bulk retries of a dispatcher that no node is working on, and removes or erases what it need not keep. */
final class DispatcherMaintenance {

    private final RepeatedWork bulkRetries;
    private final RepeatedWork retention;

    /** @param continueJobs continues bulk retries, or makes the dispatcher do so */
    DispatcherMaintenance(Runnable continueJobs, Runnable removeExpired) {
        this.bulkRetries = new RepeatedWork(
                "Could not continue bulk retries of webhook deliveries; retrying every ten seconds", continueJobs);
        this.retention =
                new RepeatedWork("Could not remove old webhook deliveries; retrying every hour", removeExpired);
    }

    @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
    void continueJobs() {
        bulkRetries.run();
    }

    @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.HOURS)
    void removeExpired() {
        retention.run();
    }
}
