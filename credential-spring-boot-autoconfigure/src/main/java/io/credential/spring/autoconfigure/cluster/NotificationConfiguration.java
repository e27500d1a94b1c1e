package io.credential.spring.autoconfigure.cluster;

import java.security.SecureRandom;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Lazy;

import io.credential.internal.notification.NodeNotifications;
import io.credential.internal.notification.PostgresNotifications;
import io.credential.spring.autoconfigure.internal.CredentialPhases;
import io.credential.spring.autoconfigure.internal.ManagedLifecycle;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.storage.internal.CredentialDatabase;

/**
 * Configures notifications between the nodes in cluster mode, if there are registries or the dispatcher. A single node
 * needs none.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnCredential({Requirement.CLUSTER, Requirement.SEALED_STORAGE})
@ConditionalOnMissingBean(NodeNotifications.class)
final class NotificationConfiguration {

    /** Depends on the schema, whose initialization rejects every other database with an explanation. */
    @Bean
    @DependsOn("credentialSchemaInitializer")
    PostgresNotifications credentialNodeNotifications(CredentialDatabase database, CredentialProperties properties) {
        return new PostgresNotifications(
                database,
                ListeningDataSource.of(
                        database.dataSource(), properties.cluster().listenUrl()),
                System::nanoTime,
                new SecureRandom());
    }

    @Bean
    @Lazy(false)
    ManagedLifecycle<PostgresNotifications> credentialNotificationLifecycle(
            ObjectProvider<PostgresNotifications> notifications) {
        return new ManagedLifecycle<>(
                CredentialPhases.NOTIFICATIONS,
                notifications.getIfAvailable(),
                PostgresNotifications::start,
                PostgresNotifications::close);
    }
}
