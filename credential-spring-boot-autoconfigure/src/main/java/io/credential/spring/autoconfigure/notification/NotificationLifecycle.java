package io.credential.spring.autoconfigure.notification;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import io.credential.notification.PostgresNotifications;
import io.credential.spring.autoconfigure.CredentialPhases;

/** Sends and receives notifications while the context runs. Thread-safe. */
final class NotificationLifecycle implements SmartLifecycle {

    private final @Nullable PostgresNotifications notifications;
    private boolean running;

    /** @param notifications null if a test has replaced them by a mock */
    NotificationLifecycle(@Nullable PostgresNotifications notifications) {
        this.notifications = notifications;
    }

    @Override
    public synchronized void start() {
        if (notifications != null) {
            notifications.start();
        }
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
        if (notifications != null) {
            notifications.close();
        }
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
