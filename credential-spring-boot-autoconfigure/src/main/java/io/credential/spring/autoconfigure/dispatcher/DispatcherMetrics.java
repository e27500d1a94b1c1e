package io.credential.spring.autoconfigure.dispatcher;

import java.util.function.ToDoubleFunction;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.webhook.delivery.DispatcherActivity;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** Measures the auto-configured dispatcher, if Micrometer is present. A scrape reads nothing from the database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
class DispatcherMetrics {

    private static final String SECONDS = "seconds";

    @Bean
    MeterBinder credentialDispatcherMetrics(DispatcherWatch watch) {
        return registry -> {
            bindBacklog(watch, registry);
            bindNode(watch, registry);
            bindAudit(watch, registry);
            watch.readBacklog();
        };
    }

    private static void bindBacklog(DispatcherWatch watch, MeterRegistry registry) {
        deliveries(watch, registry, "pending", DispatcherBacklog::pending);
        deliveries(watch, registry, "in-flight", DispatcherBacklog::inFlight);
        deliveries(watch, registry, "dead", DispatcherBacklog::dead);
        Gauge.builder("credential.webhook.oldest.due.age", watch, DispatcherWatch::oldestDueAge)
                .description("Time since the oldest pending delivery was due, on all nodes together; 0 if none is due")
                .baseUnit(SECONDS)
                .register(registry);
        Gauge.builder("credential.webhook.backlog.age", watch, DispatcherWatch::backlogAge)
                .description("Time since this node last read the numbers of stored deliveries, or since it started")
                .baseUnit(SECONDS)
                .register(registry);
    }

    private static void deliveries(
            DispatcherWatch watch, MeterRegistry registry, String status, ToDoubleFunction<DispatcherBacklog> number) {
        Gauge.builder("credential.webhook.deliveries", watch, w -> w.ofBacklog(number))
                .description("Stored deliveries that are not delivered, on all nodes together, counted up to "
                        + DispatcherBacklog.MOST)
                .tag("status", status)
                .register(registry);
    }

    private static void bindNode(DispatcherWatch watch, MeterRegistry registry) {
        node(watch, registry, "running", DispatcherActivity::running);
        node(watch, registry, "waiting", DispatcherActivity::waiting);
        node(watch, registry, "settling", DispatcherActivity::settling);
    }

    private static void bindAudit(DispatcherWatch watch, MeterRegistry registry) {
        Gauge.builder("credential.audit.queued", watch, w -> ofDispatcher(w, JdbcWebhookDispatcher::waitingAuditEvents))
                .description("Audit events that wait on this node")
                .tag("queue", "dispatcher")
                .register(registry);
        FunctionCounter.builder(
                        "credential.audit.lost",
                        watch,
                        w -> ofDispatcher(w, JdbcWebhookDispatcher::rejectedAuditEvents))
                .description("Audit events that this node has lost")
                .tag("reason", "queue-full")
                .register(registry);
    }

    private static double ofDispatcher(DispatcherWatch watch, ToDoubleFunction<JdbcWebhookDispatcher> number) {
        return watch.dispatcher().map(number::applyAsDouble).orElse(0.0);
    }

    private static void node(
            DispatcherWatch watch, MeterRegistry registry, String state, ToDoubleFunction<DispatcherActivity> number) {
        Gauge.builder("credential.webhook.node.deliveries", watch, w -> w.ofNode(number))
                .description(
                        "Deliveries in the memory of this node: attempts that run, deliveries that wait for theirs,"
                                + " and outcomes that are not stored yet")
                .tag("state", state)
                .register(registry);
    }
}
