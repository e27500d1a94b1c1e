package io.credential.spring.autoconfigure.audit;

import java.util.function.ToDoubleFunction;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.credential.spring.autoconfigure.audit.internal.AuditQueue;

/** Measures which audit events of this node wait and how many were lost, if Micrometer is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
class AuditMetrics {

    @Bean
    MeterBinder credentialAuditMetrics(AuditQueue queue) {
        return registry -> {
            queued(registry, "requests", queue, AuditQueue::waiting);
            lost(registry, "sink-failed", queue, AuditQueue::failed);
        };
    }

    static <T> void queued(MeterRegistry registry, String queue, T source, ToDoubleFunction<T> number) {
        Gauge.builder("credential.audit.queued", source, number)
                .description("Audit events that wait on this node")
                .tag("queue", queue)
                .register(registry);
    }

    static <T> void lost(MeterRegistry registry, String reason, T source, ToDoubleFunction<T> number) {
        FunctionCounter.builder("credential.audit.lost", source, number)
                .description("Audit events that this node has lost")
                .tag("reason", reason)
                .register(registry);
    }
}
