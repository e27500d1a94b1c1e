package io.credential.spring.autoconfigure.cluster;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.cluster.Leadership;
import io.credential.spring.autoconfigure.ConditionalOnCredentialStorage;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;

/**
 * Leadership of this node: without question in single mode, by a lease in cluster mode.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = CredentialDatabaseAutoConfiguration.class)
@ConditionalOnCredentialStorage
public final class ClusterAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "credential.mode", havingValue = "single", matchIfMissing = true)
    @ConditionalOnMissingBean(Leadership.class)
    static class SingleNode {

        @Bean
        Leadership credentialLeadership() {
            return Leadership.singleNode();
        }
    }
}
