package io.credential.spring.autoconfigure.actuate;

import java.time.Duration;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.webhook.delivery.DispatcherActivity;

/**
 * Reports whether this node attempts webhooks in the background. A backlog is not a matter of health: a restart would not
 * shorten it. Reads nothing from the database.
 */
final class DispatcherHealth extends AbstractHealthIndicator {

    /** Four times the longest pause between two rounds, so that a short failover of the database changes nothing. */
    private static final Duration LONGEST_FAILURE = Duration.ofMinutes(1);

    private final DispatcherWatch watch;

    DispatcherHealth(DispatcherWatch watch) {
        this.watch = watch;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        watch.dispatcher()
                .ifPresentOrElse(
                        dispatcher -> report(dispatcher.activity(), health),
                        () -> health.unknown().withDetail("reason", "the dispatcher has not been created"));
    }

    static void report(DispatcherActivity activity, Health.Builder health) {
        if (!activity.started()) {
            health.outOfService().withDetail("reason", "the background work is stopped");
        } else if (activity.sinceLastSuccess().compareTo(LONGEST_FAILURE) > 0) {
            health.down().withDetail("reason", "due deliveries cannot be claimed; the log explains why");
        } else {
            health.up();
        }
        health.withDetail("running", activity.running())
                .withDetail("waiting", activity.waiting())
                .withDetail("settling", activity.settling());
    }
}
