package io.credential.spring.autoconfigure.dispatcher;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.annotation.Scheduled;

import io.credential.spring.autoconfigure.schedule.CredentialSchedule;

/** Continues bulk retries of a dispatcher that no node is working on, every ten seconds. */
final class DispatcherJobs {

    private final RepeatedWork work;

    DispatcherJobs(RepeatedWork work) {
        this.work = work;
    }

    /** @param continueJobs continues bulk retries, or makes the dispatcher do so */
    static void schedule(CredentialSchedule schedule, Runnable continueJobs) {
        RepeatedWork work = new RepeatedWork(
                "Could not continue bulk retries of webhook deliveries; retrying every ten seconds", continueJobs);
        schedule.add(new DispatcherJobs(work), Map.of());
    }

    @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
    void run() {
        work.run();
    }
}
