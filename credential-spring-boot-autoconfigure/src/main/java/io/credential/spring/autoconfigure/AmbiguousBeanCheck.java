package io.credential.spring.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.credential.audit.AuditSink;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;

/** Stops the start where an application replaces a default by more than one bean, whether or not it is used already. */
final class AmbiguousBeanCheck implements SmartInitializingSingleton {

    private static final List<Class<?>> REPLACEABLE =
            List.of(AuditSink.class, DestinationPolicy.class, HostResolver.class, WebhookTransport.class);

    private final ListableBeanFactory beanFactory;

    AmbiguousBeanCheck(ListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    @Override
    public void afterSingletonsInstantiated() {
        REPLACEABLE.forEach(this::check);
    }

    private <T> void check(Class<T> type) {
        SoleBean.of(beanFactory.getBeanProvider(type), type);
    }
}
