package io.credential.spring.autoconfigure.security;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Fails startup of a reactive application that configures API-key registries, because nothing would check its requests.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnCredential(Requirement.REGISTRIES)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
public final class ReactiveRefusalAutoConfiguration {

    @Bean
    static BeanFactoryPostProcessor credentialReactiveRefusal() {
        return beanFactory -> {
            throw new CredentialConfigurationException(
                    "API-key registries are configured (credential.api-keys.registries), but this is a reactive"
                            + " (WebFlux) application, whose requests are not checked for API keys.",
                    "Build the application on spring-boot-starter-webmvc; if that is on the classpath already, set"
                            + " spring.main.web-application-type=servlet. Or remove credential.api-keys.registries.");
        };
    }
}
