package io.credential.spring.autoconfigure.inbox;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.audit.internal.AuditQueue;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.WebhookInboxProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.inbox.WebhookInbox;

/**
 * Configures the inbox of incoming webhooks, if it is enabled or a sender's webhooks are stored first.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = {CredentialDatabaseAutoConfiguration.class, AuditAutoConfiguration.class})
@ConditionalOnClass(WebhookInbox.class)
@ConditionalOnCredential(Requirement.INBOX)
@ConditionalOnBean(CredentialDatabase.class)
@EnableConfigurationProperties({WebhookProperties.class, WebhookInboxProperties.class})
@Import({
    AuditQueue.class,
    SharedBeans.class,
    InboxConfiguration.class, // before those for this inbox alone
    InboxWorkerConfiguration.class,
    InboxMetrics.class
})
public final class WebhookInboxAutoConfiguration {}
