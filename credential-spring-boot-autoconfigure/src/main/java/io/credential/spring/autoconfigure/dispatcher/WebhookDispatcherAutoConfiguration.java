package io.credential.spring.autoconfigure.dispatcher;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.webhook.delivery.WebhookDispatcher;

/**
 * Configures the dispatcher of outgoing webhooks, unless it is disabled. Polls the dispatchers of the application, or
 * calls {@link WebhookDispatcher#processRetries()}, once per poll interval.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = {
            CredentialDatabaseAutoConfiguration.class,
            KeyringAutoConfiguration.class,
            AuditAutoConfiguration.class,
            ClusterAutoConfiguration.class,
            SslAutoConfiguration.class
        })
@ConditionalOnClass(WebhookDispatcher.class)
@ConditionalOnCredential(Requirement.DISPATCHER)
@Import({DispatcherConfiguration.class, CredentialSchedule.class})
public final class WebhookDispatcherAutoConfiguration {

    @Bean
    @ConditionalOnBean(WebhookDispatcher.class)
    ApplicationDispatchers credentialApplicationDispatchers(
            ListableBeanFactory beans,
            ObjectProvider<DispatcherLifecycle> ours,
            CredentialSchedule schedule,
            WebhookDispatcherProperties properties) {
        return new ApplicationDispatchers(beans, ours.getIfAvailable() != null, schedule, properties.pollInterval());
    }
}
