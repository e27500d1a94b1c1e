package io.credential.spring.autoconfigure.keyring;

import java.security.SecureRandom;
import java.util.stream.Collectors;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;

import io.credential.internal.cluster.NodePresence;
import io.credential.keyring.internal.ClusterKeys;
import io.credential.keyring.internal.KeyringGuard;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.cluster.internal.HostName;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;

/**
 * Configures the keyring that seals stored data, and checks that it belongs to the database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = CredentialDatabaseAutoConfiguration.class)
@ConditionalOnCredential(Requirement.SEALED_STORAGE)
public final class KeyringAutoConfiguration {

    @Bean
    @Lazy
    @DependsOn("credentialSchemaInitializer")
    KeyringGuard credentialKeyringGuard(
            CredentialDatabase database,
            ObjectProvider<SealedTable> sealed,
            ObjectProvider<NodePresence> presence,
            ObjectProvider<ClusterKeys> clusterKeys) {
        NodePresence node = presence.getIfAvailable();
        ClusterKeys cluster = clusterKeys.getIfAvailable();
        return new KeyringGuard(
                database,
                new SecureRandom(),
                sealed.stream().map(SealedTable::name).collect(Collectors.toSet()),
                node == null ? () -> false : node::hasOthers,
                cluster == null ? keyring -> {} : cluster::announce);
    }

    /**
     * Checks a keyring that the application defines as a bean; a configured keyring is checked when it is opened. Beans
     * that seal data depend on this bean.
     */
    @Bean
    @Lazy
    KeyringCheck credentialKeyringCheck(
            KeyringGuard guard, Keyring keyring, ObjectProvider<LocatedKeyring> configuredKeyring) {
        if (configuredKeyring.getIfAvailable() == null) {
            guard.check(keyring, "of the bean of type Keyring");
        }
        return new KeyringCheck();
    }

    /** A disabled dispatcher leaves sealed secrets of endpoints behind. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebhookDispatcher.class)
    static class Endpoints {

        @Bean
        SealedTable credentialSealedEndpoints(WebhookDispatcherProperties properties) {
            return new SealedTable(properties.endpointsTable());
        }
    }

    /** Marks that the keyring matches the database. */
    record KeyringCheck() {}

    /**
     * Announces this node before the keyring is opened, so that no other node in single mode replaces it. In cluster
     * mode, several nodes are expected.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.SINGLE_NODE)
    static class Presence {

        @Bean(initMethod = "announce", destroyMethod = "close")
        @Lazy
        @DependsOn("credentialSchemaInitializer")
        NodePresence credentialNodePresence(CredentialDatabase database, CredentialProperties properties) {
            return new NodePresence(database, HostName.nodeName(properties.cluster()), new SecureRandom());
        }
    }

    /** In cluster mode, compares the keyring with those of the running nodes. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.CLUSTER)
    static class Cluster {

        @Bean(destroyMethod = "close")
        @Lazy
        @DependsOn("credentialSchemaInitializer")
        ClusterKeys credentialClusterKeys(CredentialDatabase database, CredentialProperties properties) {
            return new ClusterKeys(database, HostName.nodeName(properties.cluster()), new SecureRandom());
        }
    }

    /** The configured keyring, which is checked when it is opened. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Keyring.class)
    static class LocatedKeyring {

        @Bean
        @Lazy
        Keyring credentialKeyring(KeyringGuard guard, CredentialProperties properties, ResourceLoader resourceLoader) {
            return new KeyringSource(properties.keyring(), properties.createKeyring(), resourceLoader).open(guard);
        }
    }
}
