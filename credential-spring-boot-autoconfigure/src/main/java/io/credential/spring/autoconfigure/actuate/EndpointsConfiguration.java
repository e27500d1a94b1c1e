package io.credential.spring.autoconfigure.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.http.ProblemDetail;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.autoconfigure.actuate.WebhookViews.DeliveryPageView;
import io.credential.spring.autoconfigure.actuate.WebhookViews.EndpointPageView;
import io.credential.spring.autoconfigure.actuate.WebhookViews.JobPageView;
import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.autoconfigure.inbox.internal.InboxWatch;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.operations.internal.KeyOperationsConfiguration;
import io.credential.spring.autoconfigure.operations.internal.WebhookOperationsConfiguration;
import io.credential.spring.operations.internal.KeyOperations;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.inbox.WebhookInbox;

/**
 * Configures the Actuator endpoints {@code credentials}, {@code webhooks} and {@code webhookinbox}, if the application exposes
 * them. Changes require unrestricted access.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
final class EndpointsConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ApiKeyRegistries.class)
    @ConditionalOnAvailableEndpoint(CredentialsEndpoint.class)
    @ConditionalOnBean({ApiKeyRegistries.class, CredentialDatabase.class})
    @Import(KeyOperationsConfiguration.class)
    static class CredentialsConfiguration {

        @Bean
        CredentialsEndpoint credentialCredentialsEndpoint(
                KeyOperations keys, CredentialDatabase database, ObjectProvider<RotatedKeyHandler> handlers) {
            return new CredentialsEndpoint(
                    keys,
                    database,
                    SharedBeans.sole(handlers, RotatedKeyHandler.class).orElse(null));
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(ProblemDetail.class)
        static class Web {

            @Bean
            static ApiKeyProblems credentialApiKeyProblems() {
                return new ApiKeyProblems();
            }
        }
    }

    /** For the auto-configured dispatcher, like its metrics and health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebhookDispatcher.class)
    @ConditionalOnAvailableEndpoint(WebhooksEndpoint.class)
    @ConditionalOnBean(DispatcherWatch.class)
    @Import(WebhookOperationsConfiguration.class)
    @ImportRuntimeHints(WebhookHints.class)
    static class WebhooksConfiguration {

        @Bean
        WebhooksEndpoint credentialWebhooksEndpoint(WebhookOperations operations) {
            return new WebhooksEndpoint(operations);
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(ProblemDetail.class)
        static class Web {

            @Bean
            static WebhookProblems credentialWebhookProblems() {
                return new WebhookProblems();
            }
        }
    }

    /** For the auto-configured inbox, like its metrics. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebhookInbox.class)
    @ConditionalOnAvailableEndpoint(WebhookInboxEndpoint.class)
    @ConditionalOnBean(InboxWatch.class)
    static class InboxConfiguration {

        @Bean
        WebhookInboxEndpoint credentialWebhookInboxEndpoint(WebhookInbox inbox, InboxWatch watch) {
            watch.readBacklog();
            return new WebhookInboxEndpoint(inbox, watch);
        }
    }

    /** Types that no signature of an operation names; Spring Boot registers the others. */
    static final class WebhookHints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(
                            hints.reflection(), EndpointPageView.class, DeliveryPageView.class, JobPageView.class);
        }
    }
}
