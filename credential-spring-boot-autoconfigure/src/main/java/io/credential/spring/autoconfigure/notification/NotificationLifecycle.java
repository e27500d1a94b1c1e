package io.credential.spring.autoconfigure.notification;

import org.springframework.context.SmartLifecycle;

import io.credential.notification.PostgresNotifications;
import io.credential.spring.autoconfigure.CredentialPhases;

/** Sends and receives notifications while the context runs. Thread-safe. */
final class NotificationLifecycle implements SmartLifecycle {

    private final PostgresNotifications notifications;
    private boolean running;

    NotificationLifecycle(PostgresNotifications notifications) {
        this.notifications = notifications;
    }

    @Override
    public synchronized void start() {
        notifications.start();
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
        notifications.close();
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.NOTIFICATIONS;
    }
}
