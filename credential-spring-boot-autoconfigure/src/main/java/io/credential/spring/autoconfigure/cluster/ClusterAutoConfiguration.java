package io.credential.spring.autoconfigure.cluster;

import java.security.SecureRandom;
import java.util.OptionalLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LeaseLeadership;
import io.credential.internal.cluster.LeaseSettings;
import io.credential.internal.notification.NodeNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.cluster.internal.HostName;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.internal.CredentialPhases;
import io.credential.spring.autoconfigure.internal.ManagedLifecycle;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Configures the leadership of this node: permanent in single mode, based on a lease in cluster mode. In
 * cluster mode, also configures notifications between the nodes.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = CredentialDatabaseAutoConfiguration.class)
@Import({NotificationConfiguration.class, ClusterMetrics.class, SharedBeans.class})
public final class ClusterAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterAutoConfiguration.class);

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential({Requirement.REGISTRIES, Requirement.SINGLE_NODE})
    @ConditionalOnMissingBean(Leadership.class)
    static class SingleNode {

        @Bean
        Leadership credentialLeadership() {
            return Leadership.singleNode();
        }

        @Bean
        @Lazy(false)
        ManagedLifecycle<LeadershipEvents> credentialLeadershipEvents(
                CredentialProperties properties, ApplicationEventPublisher publisher) {
            return new ManagedLifecycle<>(
                    CredentialPhases.LEADERSHIP,
                    new LeadershipEvents(HostName.nodeName(properties.cluster()), publisher),
                    events -> events.open().accept(OptionalLong.of(0)),
                    LeadershipEvents::close);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential({Requirement.REGISTRIES, Requirement.CLUSTER})
    @ConditionalOnMissingBean(Leadership.class)
    static class SeveralNodes {

        @Bean
        @Lazy(false)
        @DependsOn({"credentialSchemaInitializer", "credentialKeyringCheck"})
        ElectedLeadership credentialLeadership(
                CredentialDatabase database,
                Keyring keyring,
                CredentialProperties properties,
                SharedBeans shared,
                ApplicationEventPublisher publisher) {
            LeaseSettings settings = settings(properties.cluster());
            if (settings.advertisedUrl() == null) {
                LOG.warn(
                        "'credential.cluster.advertised-url' is not set: while node {} is the leader, other nodes reject"
                                + " changes without saying where to send them. Set it to the URL of this node",
                        settings.nodeId());
            }
            SecureRandom random = new SecureRandom();
            NodeNotifications others = shared.notifications();
            return new ElectedLeadership(
                    observer -> new LeaseLeadership(
                            database, keyring, settings, System::nanoTime, random, others, observer),
                    new LeadershipEvents(settings.nodeId(), publisher));
        }

        /** The leadership starts in its own phase, and is handed over before running requests and deliveries end. */
        @Bean
        @Lazy(false)
        ManagedLifecycle<ElectedLeadership> credentialLeadershipHandover(ObjectProvider<ElectedLeadership> leadership) {
            return new ManagedLifecycle<>(
                    CredentialPhases.HANDOVER, leadership.getIfAvailable(), own -> {}, ElectedLeadership::handOver);
        }

        private static LeaseSettings settings(CredentialProperties.Cluster cluster) {
            return new LeaseSettings(
                    HostName.nodeName(cluster),
                    cluster.advertisedUrl().isEmpty() ? null : cluster.advertisedUrl(),
                    cluster.leaseDuration());
        }
    }
}
