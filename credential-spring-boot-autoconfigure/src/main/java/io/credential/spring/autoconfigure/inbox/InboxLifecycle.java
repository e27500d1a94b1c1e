package io.credential.spring.autoconfigure.inbox;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

import io.credential.spring.autoconfigure.internal.CredentialPhases;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.storage.internal.RepeatedWork;
import io.credential.webhook.inbox.internal.InboxWorker;

/**
 * Runs the worker while the context runs, if webhooks of a sender are stored first, and removes expired webhooks every hour.
 * Thread-safe.
 */
final class InboxLifecycle implements SmartLifecycle {

    /** Shorter than Spring Boot's timeout of a shutdown phase, which other components need too. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private static final Duration REMOVAL_INTERVAL = Duration.ofHours(1);

    private final @Nullable InboxWorker worker;
    private final boolean storesFirst;
    private volatile boolean running;

    /** @param worker null runs nothing */
    InboxLifecycle(@Nullable InboxWorker worker, WebhookProperties properties, CredentialSchedule schedule) {
        this.worker = worker;
        this.storesFirst = properties.inbound().values().stream().anyMatch(WebhookInboundProperties::storeFirst);
        if (worker != null) {
            schedule.add(
                    "credential.webhook.inbox.retention",
                    REMOVAL_INTERVAL,
                    new RepeatedWork(
                            "Could not remove old webhooks from the inbox; retrying every hour",
                            worker::removeExpired));
        }
    }

    @Override
    public void start() {
        running = true;
        if (storesFirst && worker != null) {
            worker.start();
        }
    }

    @Override
    public void stop() {
        running = false;
        if (worker != null) {
            worker.stop(GRACE);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return CredentialPhases.BACKGROUND_WORK;
    }
}
