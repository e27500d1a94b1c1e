package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.credential.spring.autoconfigure.schedule.CredentialSchedule;
import io.credential.webhook.delivery.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcher;

/** Schedules the periodic work of all dispatchers that are beans of the application. */
final class ApplicationDispatchers implements SmartInitializingSingleton {

    private final ListableBeanFactory beans;
    private final boolean oursIsThere;
    private final CredentialSchedule schedule;
    private final Duration pollInterval;

    ApplicationDispatchers(
            ListableBeanFactory beans, boolean oursIsThere, CredentialSchedule schedule, Duration pollInterval) {
        this.beans = beans;
        this.oursIsThere = oursIsThere;
        this.schedule = schedule;
        this.pollInterval = pollInterval;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(WebhookDispatcher.class, false, true)) {
            // Ours schedules its work itself, once it could be created.
            if (!oursIsThere || !name.equals(WebhookDispatcherAutoConfiguration.DISPATCHER)) {
                schedule(name, beans.getBean(name, WebhookDispatcher.class));
            }
        }
    }

    private void schedule(String name, WebhookDispatcher dispatcher) {
        DispatcherPoll.schedule(schedule, pollInterval, name, dispatcher::processRetries);
        if (dispatcher instanceof JdbcWebhookDispatcher jdbc) {
            DispatcherRetention.schedule(schedule, jdbc);
        }
    }
}
