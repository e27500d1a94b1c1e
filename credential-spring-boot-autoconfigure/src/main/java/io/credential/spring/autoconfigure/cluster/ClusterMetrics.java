package io.credential.spring.autoconfigure.cluster;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.credential.internal.cluster.Leadership;
import io.credential.internal.notification.PostgresNotifications;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;

/** Measures the leadership and the notifications of this node, if Micrometer is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
class ClusterMetrics {

    @Bean
    @ConditionalOnCredential(Requirement.REGISTRIES)
    MeterBinder credentialLeaderMetrics(Leadership leadership) {
        return registry -> Gauge.builder("credential.leader", leadership, l -> l.isLeader() ? 1 : 0)
                .description("1 on the node that changes API keys, 0 on others")
                .register(registry);
    }

    @Bean
    @ConditionalOnCredential(Requirement.CLUSTER)
    MeterBinder credentialNotificationMetrics(ObjectProvider<PostgresNotifications> notifications) {
        return registry -> notifications.ifAvailable(
                ours -> Gauge.builder("credential.notifications.queued", ours, PostgresNotifications::waiting)
                        .description("Notifications to other nodes that wait on this node")
                        .register(registry));
    }
}
