package io.credential.spring.autoconfigure.webhook;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Fails startup of a reactive application that configures incoming webhooks, because nothing would verify its requests.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
public final class ReactiveInboundRefusalAutoConfiguration {

    @Bean
    static BeanFactoryPostProcessor credentialReactiveInboundRefusal() {
        return beanFactory -> {
            throw new CredentialConfigurationException(
                    "Incoming webhooks are configured (credential.webhook.inbound), but this is a reactive (WebFlux)"
                            + " application, whose requests are not verified.",
                    "Build the application on spring-boot-starter-webmvc; if that is on the classpath already, set"
                            + " spring.main.web-application-type=servlet. Or remove credential.webhook.inbound.");
        };
    }
}
