package io.credential.spring.autoconfigure.inbox;

import java.time.Duration;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Lazy;

import io.credential.audit.internal.AuditTrail;
import io.credential.spring.autoconfigure.audit.internal.AuditQueue;
import io.credential.spring.autoconfigure.audit.internal.CurrentActor;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.WebhookInboxProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.inbox.WebhookInbox;
import io.credential.webhook.inbox.internal.InboxOptions;
import io.credential.webhook.inbox.internal.JdbcWebhookInbox;

/** The inbox, or that of the application. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

    @Bean
    @ConditionalOnMissingBean(WebhookInbox.class)
    @DependsOn("credentialSchemaInitializer")
    JdbcWebhookInbox credentialWebhookInbox(
            CredentialDatabase database,
            InboxOptions options,
            OnWebhookMethods methods,
            SharedBeans shared,
            AuditQueue auditQueue,
            BeanFactory beans) {
        AuditTrail audit = new AuditTrail(
                auditQueue.inFrontOf(shared.auditSink()),
                CurrentActor.supplier(beans),
                shared.clock(),
                "webhook-inbox",
                true,
                true);
        return new JdbcWebhookInbox(database, null, options, methods, audit);
    }

    @Bean
    InboxOptions credentialInboxOptions(WebhookInboxProperties properties, WebhookProperties webhooks) {
        webhooks.inbound().forEach((name, sender) -> requireRetention(name, sender, properties.retention()));
        return new InboxOptions(
                properties.threads(),
                properties.maxAttempts(),
                properties.retryBackoff().initial(),
                properties.retryBackoff().max(),
                properties.retention());
    }

    @Bean
    @Lazy(false) // it looks for methods when all beans exist
    OnWebhookMethods credentialOnWebhookMethods(ConfigurableListableBeanFactory beans, WebhookProperties properties) {
        return new OnWebhookMethods(beans, properties.inbound());
    }

    private static void requireRetention(String name, WebhookInboundProperties sender, Duration retention) {
        if (sender.storeFirst() && retention.compareTo(sender.tolerance().plus(sender.clockSkew())) < 0) {
            throw new CredentialConfigurationException(
                    "'credential.webhook.inbox.retention' is shorter than the time in which requests of '" + name
                            + "' are accepted, so that they could be processed twice.",
                    "Make it at least as long as 'tolerance' and 'clock-skew' of the sender together.");
        }
    }
}
