package io.credential.spring.console;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.auditlog.AuditLog;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.operations.internal.AuditOperationsConfiguration;
import io.credential.spring.autoconfigure.operations.internal.ClusterOperationsConfiguration;
import io.credential.spring.autoconfigure.operations.internal.InboundOperationsConfiguration;
import io.credential.spring.autoconfigure.operations.internal.KeyOperationsConfiguration;
import io.credential.spring.autoconfigure.operations.internal.WebhookOperationsConfiguration;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.ConsoleProperties;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.spring.console.internal.audit.AuditSection;
import io.credential.spring.console.internal.dead.DeadSection;
import io.credential.spring.console.internal.delivery.DeliveriesSection;
import io.credential.spring.console.internal.endpoint.EndpointsSection;
import io.credential.spring.console.internal.event.EventTypesSection;
import io.credential.spring.console.internal.inbound.InboundSection;
import io.credential.spring.console.internal.job.JobsSection;
import io.credential.spring.console.internal.key.KeysSection;
import io.credential.spring.console.internal.key.Leader;
import io.credential.spring.console.internal.overview.NodesSection;
import io.credential.spring.operations.internal.AuditOperations;
import io.credential.spring.operations.internal.ClusterOperations;
import io.credential.spring.operations.internal.InboundOperations;
import io.credential.spring.operations.internal.KeyOperations;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.signature.WebhookVerifier;

/** Configures the sections of the console for what the application has. */
@Configuration(proxyBeanMethods = false)
class ConsoleSections {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebhookDispatcher.class)
    @ConditionalOnBean(DispatcherWatch.class)
    @Import(WebhookOperationsConfiguration.class)
    static class Dispatcher {

        @Bean
        DeliveriesSection credentialConsoleDeliveries(WebhookOperations operations) {
            return new DeliveriesSection(operations);
        }

        @Bean
        EndpointsSection credentialConsoleEndpoints(
                WebhookOperations operations,
                ObjectProvider<WebhookEventCatalog> catalogs,
                WebhookDispatcherProperties properties) {
            return new EndpointsSection(operations, catalog(catalogs), properties.secretOverlap());
        }

        @Bean
        DeadSection credentialConsoleDead(WebhookOperations operations) {
            return new DeadSection(operations);
        }

        @Bean
        EventTypesSection credentialConsoleEventTypes(
                WebhookOperations operations, ObjectProvider<WebhookEventCatalog> catalogs) {
            return new EventTypesSection(operations, catalog(catalogs));
        }

        @Bean
        JobsSection credentialConsoleJobs(WebhookOperations operations) {
            return new JobsSection(operations);
        }

        private static WebhookEventCatalog catalog(ObjectProvider<WebhookEventCatalog> catalogs) {
            return catalogs.getIfAvailable(WebhookEventCatalog::empty);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ApiKeyRegistries.class)
    @ConditionalOnCredential(Requirement.REGISTRIES)
    @Import({KeyOperationsConfiguration.class, ClusterOperationsConfiguration.class})
    static class Keys {

        @Bean
        KeysSection credentialConsoleKeys(
                KeyOperations operations,
                ClusterOperations cluster,
                ConsoleProperties console,
                ApiKeysProperties properties) {
            return new KeysSection(
                    operations,
                    new Leader(cluster, console.path()),
                    properties.usage().enabled());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AuditLog.class)
    @ConditionalOnBean(AuditLog.class)
    @Import(AuditOperationsConfiguration.class)
    static class Audit {

        @Bean
        AuditSection credentialConsoleAudit(AuditOperations operations) {
            return new AuditSection(operations);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebhookVerifier.class)
    @ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
    @Import(InboundOperationsConfiguration.class)
    static class Inbound {

        @Bean
        InboundSection credentialConsoleInbound(InboundOperations operations) {
            return new InboundSection(operations);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean({CredentialDatabase.class, Keyring.class})
    @Import(ClusterOperationsConfiguration.class)
    static class Nodes {

        @Bean
        NodesSection credentialConsoleNodes(ClusterOperations operations) {
            return new NodesSection(operations);
        }
    }
}
