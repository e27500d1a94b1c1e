package io.credential.spring.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.bean.SoleBean;
import io.credential.spring.autoconfigure.condition.BuildTimeConditions;
import io.credential.spring.autoconfigure.diagnostics.IgnoredVariables;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;

/**
 * Binds the properties even if no feature is used, so that startup fails on misspelled properties. Startup also fails
 * if several beans could replace a default and none is primary.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@EnableConfigurationProperties(CredentialProperties.class)
@Import({BuildTimeConditions.class, IgnoredVariables.class})
@ImportRuntimeHints(CredentialRuntimeHints.class)
public final class CredentialAutoConfiguration {

    @Bean
    static AmbiguousBeanCheck credentialAmbiguousBeanCheck(ListableBeanFactory beanFactory) {
        return new AmbiguousBeanCheck(beanFactory);
    }

    @Bean
    static LazyInitializationExcludeFilter credentialPropertiesEagerFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(CredentialProperties.class, IgnoredVariables.class);
    }

    /** Fails startup if several beans of a replaceable type exist and none is primary, even if nothing uses them. */
    record AmbiguousBeanCheck(ListableBeanFactory beanFactory) implements SmartInitializingSingleton {

        private static final List<Class<?>> REPLACEABLE =
                List.of(AuditSink.class, DestinationPolicy.class, HostResolver.class, WebhookTransport.class);

        @Override
        public void afterSingletonsInstantiated() {
            REPLACEABLE.forEach(this::check);
        }

        private <T> void check(Class<T> type) {
            SoleBean.of(beanFactory.getBeanProvider(type), type);
        }
    }
}
