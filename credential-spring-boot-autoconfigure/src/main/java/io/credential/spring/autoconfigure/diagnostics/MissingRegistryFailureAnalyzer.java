package io.credential.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;

/** Explains why no registry can be injected: none is configured, or several are. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingRegistryFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final BeanFactory beanFactory;

    MissingRegistryFailureAnalyzer(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        Class<?> wanted = cause.getResolvableType() == null
                ? null
                : cause.getResolvableType().resolve();
        if (cause instanceof NoUniqueBeanDefinitionException
                || (wanted != ApiKeyRegistry.class && wanted != ApiKeyRegistries.class)) {
            return null;
        }
        if (wanted == ApiKeyRegistry.class && severalAreConfigured()) {
            return new FailureAnalysis(
                    "A bean requires a single ApiKeyRegistry, but 'credential.api-keys.registries' configures several.",
                    "Inject ApiKeyRegistries, and ask it for a registry by its namespace.",
                    cause);
        }
        return new FailureAnalysis(
                "A bean requires " + wanted.getSimpleName() + ", but no registry is configured.",
                "Configure one, for example with 'credential.api-keys.registries.live.prefix=bk'.",
                cause);
    }

    /** Looks only at bean definitions: after a failed startup, no bean may be created. */
    private boolean severalAreConfigured() {
        return beanFactory instanceof ListableBeanFactory listable
                && listable.getBeanNamesForType(ApiKeyRegistries.class, true, false).length > 0;
    }
}
