package io.credential.spring.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.bean.SoleBean;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;

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

    /** Stops the start where an application replaces a default by more than one bean, whether or not it is used already. */
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
