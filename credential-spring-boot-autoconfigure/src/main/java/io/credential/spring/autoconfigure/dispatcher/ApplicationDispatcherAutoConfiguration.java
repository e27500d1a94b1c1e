package io.credential.spring.autoconfigure.dispatcher;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.spring.autoconfigure.schedule.CredentialSchedule;
import io.credential.webhook.delivery.WebhookDispatcher;

/**
 * Polls the dispatchers of the application, or calls {@link WebhookDispatcher#processRetries()}, once per poll
 * interval.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = WebhookDispatcherAutoConfiguration.class)
@ConditionalOnClass(WebhookDispatcher.class)
@ConditionalOnCredential(Requirement.DISPATCHER)
@ConditionalOnBean(WebhookDispatcher.class)
@Import(CredentialSchedule.class)
public final class ApplicationDispatcherAutoConfiguration {

    @Bean
    ApplicationDispatchers credentialApplicationDispatchers(
            ListableBeanFactory beans,
            ObjectProvider<DispatcherLifecycle> ours,
            CredentialSchedule schedule,
            WebhookDispatcherProperties properties) {
        return new ApplicationDispatchers(beans, ours.getIfAvailable() != null, schedule, properties.pollInterval());
    }
}
