package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** Schedules the periodic work of all dispatchers that are beans of the application. */
final class ApplicationDispatchers implements SmartInitializingSingleton {

    private final ListableBeanFactory beans;
    private final boolean hasAutoConfigured;
    private final CredentialSchedule schedule;
    private final Duration pollInterval;

    ApplicationDispatchers(
            ListableBeanFactory beans, boolean hasAutoConfigured, CredentialSchedule schedule, Duration pollInterval) {
        this.beans = beans;
        this.hasAutoConfigured = hasAutoConfigured;
        this.schedule = schedule;
        this.pollInterval = pollInterval;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(WebhookDispatcher.class, false, true)) {
            // The auto-configured dispatcher schedules its own work when it is created.
            if (!hasAutoConfigured || !name.equals(DispatcherConfiguration.DISPATCHER)) {
                schedule(name, beans.getBean(name, WebhookDispatcher.class));
            }
        }
    }

    /** Schedules a poll of a JDBC dispatcher, and {@code processRetries} of any other. */
    private void schedule(String name, WebhookDispatcher dispatcher) {
        if (dispatcher instanceof JdbcWebhookDispatcher jdbc) {
            DispatcherJobs.poll(schedule, pollInterval, name, () -> pollOrProcessRetries(jdbc));
            DispatcherJobs.maintain(schedule, jdbc, jdbc::continueJobs);
        } else {
            DispatcherJobs.poll(schedule, pollInterval, name, dispatcher::processRetries);
        }
    }

    private static void pollOrProcessRetries(JdbcWebhookDispatcher dispatcher) {
        if (dispatcher.isStarted()) {
            dispatcher.poll();
        } else {
            dispatcher.processRetries();
        }
    }
}
