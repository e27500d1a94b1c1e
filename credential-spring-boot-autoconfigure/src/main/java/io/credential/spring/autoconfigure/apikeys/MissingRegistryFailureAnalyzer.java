package io.credential.spring.autoconfigure.apikeys;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.spring.autoconfigure.diagnostics.internal.Library;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;

/** Explains why no registry can be injected: none is configured, or several are, or this is a test slice. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class MissingRegistryFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private final Environment environment;

    MissingRegistryFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        if (!Library.API_KEYS.isPresent()) {
            return null;
        }
        Class<?> wanted = cause.getResolvableType() == null
                ? null
                : cause.getResolvableType().resolve();
        if ((wanted != ApiKeyRegistry.class && wanted != ApiKeyRegistries.class)
                || cause instanceof NoUniqueBeanDefinitionException) {
            return null;
        }
        if (wanted == ApiKeyRegistries.class || Requirement.SINGLE_REGISTRY.isMet(environment)) {
            return new FailureAnalysis(
                    "A bean requires " + wanted.getSimpleName() + ", but this context does not create it, as in a test"
                            + " slice.",
                    "In a test, add @AutoConfigureInMemoryCredential from 'credential-spring-boot-test', or a"
                            + " @MockitoBean of type " + wanted.getSimpleName() + ".",
                    cause);
        }
        String configured = Requirement.REGISTRIES.isMet(environment) ? "several" : "none";
        return new FailureAnalysis(
                "A bean requires a single ApiKeyRegistry, but 'credential.api-keys.registries' configures " + configured
                        + ".",
                "Configure exactly one, for example with 'credential.api-keys.registries.live.prefix=bk', or inject"
                        + " ApiKeyRegistries and get a registry by its namespace.",
                cause);
    }
}
