package io.credential.spring.autoconfigure.dispatcher;

import java.time.Duration;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import io.credential.audit.AuditSink;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.audit.internal.AuditQueue;
import io.credential.spring.autoconfigure.audit.internal.CurrentActor;
import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.egress.Egress;
import io.credential.spring.autoconfigure.internal.egress.EgressConfiguration;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;
import io.credential.webhook.event.WebhookEventCatalog;

/**
 * Configures the dispatcher of outgoing webhooks, unless the application has its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(WebhookDispatcher.class)
@Import({
    EgressConfiguration.class,
    CredentialSchedule.class,
    AuditQueue.class,
    DispatcherMetrics.class,
    SharedBeans.class
})
final class DispatcherConfiguration {

    static final String DISPATCHER = "credentialWebhookDispatcher";

    @Bean(DISPATCHER)
    @Lazy
    @DependsOn({"credentialSchemaInitializer", "credentialKeyringCheck"})
    JdbcWebhookDispatcher credentialWebhookDispatcher(
            CredentialDatabase database,
            Keyring keyring,
            CredentialProperties credential,
            WebhookDispatcherProperties properties,
            ConfiguredTransport transport,
            AuditSink auditSink,
            AuditQueue auditQueue,
            Egress egress,
            SharedBeans shared,
            ObjectProvider<WebhookEventCatalog> catalogs,
            DispatcherWatch watch,
            DispatcherLifecycle lifecycle,
            CredentialSchedule schedule,
            BeanFactory beans) {
        JdbcWebhookDispatcherBuilder builder = JdbcWebhookDispatcher.builder(database, keyring)
                .auditSink(auditQueue.inFrontOf(auditSink))
                .actor(CurrentActor.supplier(beans))
                .observationRegistry(shared.observations())
                .notifications(shared.notifications())
                .clock(shared.clock())
                .allowPlainSealMigration(credential.seal().allowsPlainEndpoints())
                .destinationPolicy(egress.policy())
                .hostResolver(egress.resolver());
        transport.transport().ifPresent(builder::transport);
        SharedBeans.sole(catalogs, WebhookEventCatalog.class).ifPresent(builder::eventCatalog);
        JdbcWebhookDispatcher dispatcher = ConfiguredDispatcher.build(builder, properties);
        dispatcher.schema(credential.storage().schema());
        lifecycle.manage(dispatcher);
        watch.created(dispatcher);
        Duration backlogAge = properties.operationalEvents().backlogAge();
        BacklogEvents backlogEvents = new BacklogEvents(watch, dispatcher, backlogAge, shared.clock());
        schedule(dispatcher, backlogEvents, properties, schedule);
        return dispatcher;
    }

    private static void schedule(
            JdbcWebhookDispatcher dispatcher,
            BacklogEvents backlogEvents,
            WebhookDispatcherProperties properties,
            CredentialSchedule schedule) {
        DispatcherJobs.poll(schedule, properties.pollInterval(), DISPATCHER, dispatcher::poll);
        Runnable continueJobs = () -> {
            if (dispatcher.isStarted()) {
                dispatcher.continueJobs();
            }
        };
        DispatcherJobs.maintain(schedule, dispatcher, continueJobs);
        if (properties.operationalEvents().enabled()) {
            backlogEvents.addTo(schedule);
        }
    }

    @Bean
    @Lazy
    ConfiguredTransport credentialWebhookTransport(
            WebhookDispatcherProperties properties, Egress egress, ObjectProvider<SslBundles> sslBundles) {
        return ConfiguredTransport.of(properties, egress, sslBundles);
    }

    @Bean
    DispatcherWatch credentialWebhookDispatcherWatch(CredentialSchedule schedule, SharedBeans shared) {
        return new DispatcherWatch(schedule, shared.clock(), System::nanoTime);
    }

    @Bean
    DispatcherLifecycle credentialWebhookDispatcherLifecycle(ObjectProvider<JdbcWebhookDispatcher> dispatchers) {
        return new DispatcherLifecycle(dispatchers);
    }
}
