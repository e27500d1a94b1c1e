package io.credential.benchmarks.scale;

import java.time.Duration;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** A dispatcher that is polled as the starter does. */
final class PolledDispatcher implements AutoCloseable {

    /** Short, because the requests to endpoints that hang would take all of it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** The default of the starter. */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

    private final JdbcWebhookDispatcher dispatcher;
    private final OwnedSchedule polls;

    PolledDispatcher(JdbcWebhookDispatcher dispatcher) {
        this.dispatcher = dispatcher;
        this.polls = new OwnedSchedule("benchmark-poll", GRACE, dispatcher::poll);
    }

    JdbcWebhookDispatcher dispatcher() {
        return dispatcher;
    }

    void start() {
        dispatcher.start();
        polls.start(POLL_INTERVAL, POLL_INTERVAL);
    }

    void stop() {
        polls.stop();
        dispatcher.stop(GRACE);
    }

    @Override
    public void close() {
        polls.stop();
        dispatcher.close(GRACE);
    }
}
