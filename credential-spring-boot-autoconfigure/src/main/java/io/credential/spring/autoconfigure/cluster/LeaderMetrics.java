package io.credential.spring.autoconfigure.cluster;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.credential.cluster.Leadership;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;

/** Measures whether this node is the leader, if Micrometer is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnCredential(Requirement.REGISTRIES)
class LeaderMetrics {

    @Bean
    MeterBinder credentialLeaderMetrics(Leadership leadership) {
        return registry -> Gauge.builder("credential.leader", leadership, l -> l.isLeader() ? 1 : 0)
                .description("1 on the node that changes API keys, 0 on others")
                .register(registry);
    }
}
