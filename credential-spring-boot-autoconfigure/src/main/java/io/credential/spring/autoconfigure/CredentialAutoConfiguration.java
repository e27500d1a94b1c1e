package io.credential.spring.autoconfigure;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.ConfigurableEnvironment;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.auditlog.AuditLog;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.diagnostics.internal.IgnoredVariables;
import io.credential.spring.autoconfigure.diagnostics.internal.PropertyNameCheck;
import io.credential.spring.autoconfigure.diagnostics.internal.StorageLibraryCheck;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.BuildTimeConditions;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.AuditLogProperties;
import io.credential.spring.autoconfigure.properties.ConsoleProperties;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.spring.autoconfigure.properties.WebhookInboxProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;
import io.credential.webhook.inbox.WebhookInbox;
import io.credential.webhook.signature.WebhookVerifier;

/**
 * Binds the properties of all libraries on the class path even if no feature is used, so that startup fails on invalid and on
 * misspelled properties. Startup also fails if several beans could replace a default and none is primary.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@EnableConfigurationProperties(CredentialProperties.class)
@Import({BuildTimeConditions.class, IgnoredVariables.class, SharedBeans.class})
@ImportRuntimeHints(CredentialRuntimeHints.class)
public final class CredentialAutoConfiguration {

    @Bean
    static PropertyNameCheck credentialPropertyNameCheck(ConfigurableEnvironment environment) {
        return new PropertyNameCheck(environment);
    }

    @Bean
    @ConditionalOnCredential(Requirement.STORAGE)
    static StorageLibraryCheck credentialStorageLibraryCheck() {
        return new StorageLibraryCheck();
    }

    @Bean
    static SmartInitializingSingleton credentialAmbiguousBeanCheck(SharedBeans shared) {
        return shared::auditSink;
    }

    @Bean
    static LazyInitializationExcludeFilter credentialPropertiesEagerFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(
                ApiKeysProperties.class,
                AuditLogProperties.class,
                ConsoleProperties.class,
                CredentialProperties.class,
                WebhookDispatcherProperties.class,
                WebhookInboxProperties.class,
                WebhookProperties.class,
                IgnoredVariables.class);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ApiKeyRegistries.class)
    @EnableConfigurationProperties(ApiKeysProperties.class)
    static class ApiKeys {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AuditLog.class)
    @EnableConfigurationProperties(AuditLogProperties.class)
    static class AuditLogs {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebhookVerifier.class)
    @EnableConfigurationProperties(WebhookProperties.class)
    static class Webhooks {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebhookInbox.class)
    @EnableConfigurationProperties(WebhookInboxProperties.class)
    static class Inboxes {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.credential.spring.console.ConsoleAutoConfiguration")
    @EnableConfigurationProperties(ConsoleProperties.class)
    static class Consoles {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebhookDispatcher.class)
    @EnableConfigurationProperties(WebhookDispatcherProperties.class)
    static class Dispatchers {

        @Bean
        static SmartInitializingSingleton credentialAmbiguousEgressCheck(
                ObjectProvider<DestinationPolicy> policies,
                ObjectProvider<HostResolver> resolvers,
                ObjectProvider<WebhookTransport> transports) {
            return () -> {
                SharedBeans.sole(policies, DestinationPolicy.class);
                SharedBeans.sole(resolvers, HostResolver.class);
                SharedBeans.sole(transports, WebhookTransport.class);
            };
        }
    }

    /** Fails startup of a reactive application that asks for what only a servlet application gets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class ReactiveRefusal {

        @Bean
        @ConditionalOnCredential(Requirement.REGISTRIES)
        static BeanFactoryPostProcessor credentialReactiveRefusal() {
            return refusal(
                    "API-key registries are configured",
                    "credential.api-keys.registries",
                    "whose requests are not checked for API keys");
        }

        @Bean
        @ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
        static BeanFactoryPostProcessor credentialReactiveInboundRefusal() {
            return refusal(
                    "Incoming webhooks are configured",
                    "credential.webhook.inbound",
                    "whose requests are not verified");
        }

        @Bean
        @ConditionalOnCredential(Requirement.CONSOLE)
        static BeanFactoryPostProcessor credentialReactiveConsoleRefusal() {
            return refusal(
                    "The console is enabled", "credential.console.enabled", "to which the console cannot be added");
        }

        private static BeanFactoryPostProcessor refusal(String setting, String property, String consequence) {
            return beanFactory -> {
                throw new CredentialConfigurationException(
                        setting + " (" + property + "), but this is a reactive (WebFlux) application, " + consequence
                                + ".",
                        "Build the application on spring-boot-starter-webmvc; if that is on the classpath already, set"
                                + " spring.main.web-application-type=servlet. Or remove " + property + ".");
            };
        }
    }
}
