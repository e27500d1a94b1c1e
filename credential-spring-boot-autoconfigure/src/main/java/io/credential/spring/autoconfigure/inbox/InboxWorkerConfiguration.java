package io.credential.spring.autoconfigure.inbox;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import io.credential.spring.autoconfigure.inbox.internal.InboxWatch;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.spring.webhook.internal.WebhookStore;
import io.credential.webhook.inbox.internal.InboxWorker;
import io.credential.webhook.inbox.internal.JdbcWebhookInbox;

/** Processes the webhooks of the auto-configured inbox. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(JdbcWebhookInbox.class)
class InboxWorkerConfiguration {

    @Bean
    @Lazy(false)
    InboxLifecycle credentialInboxLifecycle(
            ObjectProvider<JdbcWebhookInbox> inboxes, WebhookProperties properties, CredentialSchedule schedule) {
        return new InboxLifecycle(worker(inboxes), properties, schedule);
    }

    @Bean
    WebhookStore credentialWebhookStore(ObjectProvider<JdbcWebhookInbox> inboxes, OnWebhookMethods methods) {
        return new InboxWebhookStore(inboxes::getObject, methods);
    }

    @Bean
    InboxWatch credentialInboxWatch(ObjectProvider<JdbcWebhookInbox> inboxes, CredentialSchedule schedule) {
        return new InboxWatch(worker(inboxes), schedule);
    }

    /** Returns null if a test has replaced the inbox with a mock. */
    static @Nullable InboxWorker worker(ObjectProvider<JdbcWebhookInbox> inboxes) {
        JdbcWebhookInbox inbox = inboxes.getIfAvailable();
        return inbox == null ? null : inbox.worker();
    }
}
