package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;
import java.util.Map;

import org.springframework.scheduling.annotation.Scheduled;

import io.credential.spring.autoconfigure.schedule.CredentialSchedule;

/** Polls a dispatcher, or processes its retries, once per poll interval. */
final class WebhookRetryJob {

    private static final String INTERVAL = "credential.webhook.dispatcher.poll-interval";

    private final RepeatedWork work;

    WebhookRetryJob(RepeatedWork work) {
        this.work = work;
    }

    /** @param name of the dispatcher's bean, for the log */
    static void schedule(CredentialSchedule schedule, Duration interval, String name, Runnable poll) {
        String problem =
                "Could not process the retries of the webhook dispatcher '" + name + "'; retrying every " + interval;
        schedule.add(new WebhookRetryJob(new RepeatedWork(problem, poll)), Map.of(INTERVAL, interval));
    }

    @Scheduled(fixedDelayString = "${" + INTERVAL + "}")
    void run() {
        work.run();
    }
}
