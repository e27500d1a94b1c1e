package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.storage.internal.RepeatedWork;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.OperationalEvent;

/**
 * Raises an operational event while a delivery has been due for long. Looks every minute at what each node reads of the backlog
 * anyway for its metrics; of all nodes, one stores the event.
 */
final class BacklogEvents {

    private final DispatcherWatch watch;
    private final JdbcWebhookDispatcher dispatcher;
    private final Duration age;
    private final InstantSource clock;

    /** @param age how long a delivery must be due */
    BacklogEvents(DispatcherWatch watch, JdbcWebhookDispatcher dispatcher, Duration age, InstantSource clock) {
        this.watch = watch;
        this.dispatcher = dispatcher;
        this.age = age;
        this.clock = clock;
    }

    void addTo(CredentialSchedule schedule) {
        watch.readBacklog();
        schedule.add(
                "credential.webhook.backlog-events",
                Duration.ofMinutes(1),
                new RepeatedWork(
                        "Could not report the old backlog of the webhook dispatcher; retrying every minute",
                        this::report));
    }

    private void report() {
        watch.backlog().ifPresent(this::report);
    }

    private void report(DispatcherBacklog backlog) {
        Instant now = clock.instant();
        Instant oldest = backlog.oldestDueAt();
        if (oldest != null && oldest.plus(age).isBefore(now)) {
            dispatcher.raise(List.of(OperationalEvent.backlogOld(backlog, oldest, now)));
        }
    }
}
