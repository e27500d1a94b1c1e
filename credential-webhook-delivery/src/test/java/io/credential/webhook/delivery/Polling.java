package io.credential.webhook.delivery;

import java.time.Duration;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.testing.Patience;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** Polls a dispatcher regularly until it is closed. */
final class Polling implements AutoCloseable {

    private final OwnedSchedule schedule;

    Polling(JdbcWebhookDispatcher dispatcher, Duration interval) {
        this.schedule = new OwnedSchedule("polling", Patience.LIMIT, dispatcher::poll);
        schedule.start(interval, interval);
    }

    @Override
    public void close() {
        schedule.stop();
    }
}
