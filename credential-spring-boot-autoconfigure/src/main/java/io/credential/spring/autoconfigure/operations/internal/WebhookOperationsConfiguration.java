package io.credential.spring.autoconfigure.operations.internal;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.dispatcher.internal.DispatcherWatch;
import io.credential.spring.operations.internal.WebhookOperations;

/** Imported by those who show the auto-configured dispatcher, if there is one. */
@Configuration(proxyBeanMethods = false)
public class WebhookOperationsConfiguration {

    @Bean
    WebhookOperations credentialWebhookOperations(DispatcherWatch watch) {
        watch.readBacklog();
        return new WebhookOperations(watch::dispatcher, watch::backlog);
    }
}
