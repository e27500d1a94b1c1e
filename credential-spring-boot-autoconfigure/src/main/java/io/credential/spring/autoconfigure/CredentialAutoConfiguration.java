package io.credential.spring.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.credential.spring.autoconfigure.properties.CredentialProperties;

/**
 * Binds the properties, whether a feature is used or not: a misspelt key must not pass unnoticed. Nor must beans of which
 * none is the one to use.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@EnableConfigurationProperties(CredentialProperties.class)
public final class CredentialAutoConfiguration {

    @Bean
    static AmbiguousBeanCheck credentialAmbiguousBeanCheck(ListableBeanFactory beanFactory) {
        return new AmbiguousBeanCheck(beanFactory);
    }

    @Bean
    static LazyInitializationExcludeFilter credentialPropertiesEagerFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(CredentialProperties.class);
    }
}
