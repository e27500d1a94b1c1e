package io.credential.spring.autoconfigure.dispatcher;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.annotation.Scheduled;

import io.credential.spring.autoconfigure.schedule.CredentialSchedule;
import io.credential.webhook.delivery.JdbcWebhookDispatcher;

/** Removes the successful deliveries of a dispatcher, and erases payloads, after their retention, every hour. */
final class DispatcherRetention {

    private final RepeatedWork work;

    DispatcherRetention(RepeatedWork work) {
        this.work = work;
    }

    static void schedule(CredentialSchedule schedule, JdbcWebhookDispatcher dispatcher) {
        RepeatedWork work = new RepeatedWork(
                "Could not remove old webhook deliveries; retrying every hour", dispatcher::removeExpired);
        schedule.add(new DispatcherRetention(work), Map.of());
    }

    @Scheduled(initialDelay = 1, fixedDelay = 1, timeUnit = TimeUnit.HOURS)
    void run() {
        work.run();
    }
}
