package io.credential.spring.autoconfigure.security;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Fails startup of a reactive application that configures API-key registries or incoming webhooks, because nothing
 * would check its requests.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
public final class ReactiveRefusalAutoConfiguration {

    @Bean
    @ConditionalOnCredential(Requirement.REGISTRIES)
    static BeanFactoryPostProcessor credentialReactiveRefusal() {
        return refusal("API-key registries", "credential.api-keys.registries", "checked for API keys");
    }

    @Bean
    @ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
    static BeanFactoryPostProcessor credentialReactiveInboundRefusal() {
        return refusal("Incoming webhooks", "credential.webhook.inbound", "verified");
    }

    private static BeanFactoryPostProcessor refusal(String feature, String property, String omission) {
        return beanFactory -> {
            throw new CredentialConfigurationException(
                    feature + " are configured (" + property + "), but this is a reactive (WebFlux) application, whose"
                            + " requests are not " + omission + ".",
                    "Build the application on spring-boot-starter-webmvc; if that is on the classpath already, set"
                            + " spring.main.web-application-type=servlet. Or remove " + property + ".");
        };
    }
}
