package io.credential.spring.autoconfigure.actuate;

import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.internal.cluster.Leadership;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;

/**
 * Contributes {@code credential} to the health of the application. Liveness and readiness do not include it, unless the
 * application adds it to a group.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
final class HealthConfiguration {

    /** A part of the contributor. Not an indicator itself, which would be shown by its own name too. */
    record Part(String name, HealthIndicator indicator) {}

    /** Nested, since the condition itself is of the optional module. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnEnabledHealthIndicator("credential")
    static class EnabledHealthConfiguration {

        @Bean
        @ConditionalOnCredential(Requirement.SEALED_STORAGE)
        Part credentialKeyringHealth(Keyring keyring) {
            return new Part("keyring", new KeyringHealth(keyring, new SecureRandom()));
        }

        @Bean
        @ConditionalOnBean(DispatcherWatch.class)
        Part credentialDispatcherHealth(DispatcherWatch watch) {
            return new Part("dispatcher", new DispatcherHealth(watch));
        }

        /** A node that is not the leader is healthy. */
        @Bean
        @ConditionalOnCredential(Requirement.CLUSTER)
        @ConditionalOnBean(Leadership.class)
        Part credentialLeadershipHealth(Leadership leadership) {
            return new Part(
                    "leadership",
                    () -> Health.up()
                            .withDetail("leader", leadership.isLeader())
                            .build());
        }

        @Bean
        @ConditionalOnBean(Part.class)
        CompositeHealthContributor credentialHealthContributor(ObjectProvider<Part> parts) {
            Map<String, HealthIndicator> byName = new LinkedHashMap<>();
            parts.orderedStream().forEach(part -> byName.put(part.name(), part.indicator()));
            return CompositeHealthContributor.fromMap(byName);
        }
    }
}
