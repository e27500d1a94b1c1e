package io.credential.spring.autoconfigure.inbox;

import java.util.function.ToDoubleFunction;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.credential.spring.autoconfigure.inbox.internal.InboxWatch;
import io.credential.webhook.inbox.internal.InboxBacklog;
import io.credential.webhook.inbox.internal.InboxWorker;
import io.credential.webhook.inbox.internal.JdbcWebhookInbox;

/** Measures the auto-configured inbox, if Micrometer is present. A scrape reads nothing from the database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(JdbcWebhookInbox.class)
class InboxMetrics {

    private static final double MILLIS_PER_SECOND = 1e3;

    @Bean
    MeterBinder credentialInboxMetrics(InboxWatch watch, ObjectProvider<JdbcWebhookInbox> inboxes) {
        InboxWorker worker = InboxWorkerConfiguration.worker(inboxes);
        return worker == null ? registry -> {} : of(watch, worker);
    }

    private static MeterBinder of(InboxWatch watch, InboxWorker worker) {
        return registry -> {
            stored(watch, registry, "pending", InboxBacklog::pending);
            stored(watch, registry, "dead", InboxBacklog::dead);
            Gauge.builder(
                            "credential.webhook.inbox.oldest.due.age",
                            watch,
                            w -> w.ofBacklog(backlog -> backlog.oldestDueMillis() / MILLIS_PER_SECOND))
                    .description("Time since the oldest stored webhook was due to be processed; 0 if none is due")
                    .baseUnit("seconds")
                    .register(registry);
            attempts(worker, registry, "processed", InboxWorker::processed);
            attempts(worker, registry, "failed", InboxWorker::failed);
            watch.readBacklog();
        };
    }

    private static void stored(
            InboxWatch watch, MeterRegistry registry, String status, ToDoubleFunction<InboxBacklog> number) {
        Gauge.builder("credential.webhook.inbox.webhooks", watch, w -> w.ofBacklog(number))
                .description("Stored webhooks that are not processed, on all nodes together, counted up to "
                        + InboxBacklog.MOST)
                .tag("status", status)
                .register(registry);
    }

    private static void attempts(
            InboxWorker worker, MeterRegistry registry, String outcome, ToDoubleFunction<InboxWorker> number) {
        FunctionCounter.builder("credential.webhook.inbox.attempts", worker, number)
                .description("Attempts of this node to process stored webhooks")
                .tag("outcome", outcome)
                .register(registry);
    }
}
