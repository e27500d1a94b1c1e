package io.credential.spring.autoconfigure.dispatcher;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.annotation.Scheduled;

import io.credential.spring.autoconfigure.schedule.CredentialSchedule;

/** Reads the backlog of the dispatcher for its metrics, every 15 seconds. */
final class BacklogRefresh {

    static final int SECONDS = 15;

    private final RepeatedWork work;

    BacklogRefresh(RepeatedWork work) {
        this.work = work;
    }

    static void schedule(CredentialSchedule schedule, DispatcherWatch watch) {
        RepeatedWork work = new RepeatedWork(
                "Could not read the backlog of the webhook dispatcher for its metrics; retrying every 15 seconds",
                watch::refresh);
        schedule.add(new BacklogRefresh(work), Map.of());
    }

    @Scheduled(fixedDelay = SECONDS, timeUnit = TimeUnit.SECONDS)
    void run() {
        work.run();
    }
}
