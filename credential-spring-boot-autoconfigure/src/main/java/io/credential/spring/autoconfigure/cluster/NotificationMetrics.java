package io.credential.spring.autoconfigure.cluster;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.credential.notification.PostgresNotifications;

/** Measures which notifications wait on this node, if Micrometer is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
class NotificationMetrics {

    @Bean
    MeterBinder credentialNotificationMetrics(ObjectProvider<PostgresNotifications> notifications) {
        return registry -> notifications.ifAvailable(
                ours -> Gauge.builder("credential.notifications.queued", ours, PostgresNotifications::waiting)
                        .description("Notifications to other nodes that wait on this node")
                        .register(registry));
    }
}
