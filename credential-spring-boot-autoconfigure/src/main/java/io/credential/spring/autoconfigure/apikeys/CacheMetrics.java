package io.credential.spring.autoconfigure.apikeys;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;

/** Measures the cache of accepted keys, if Micrometer is present and other nodes can invalidate what is cached. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnCredential(Requirement.CLUSTER)
class CacheMetrics {

    private static final String INVALIDATION_DELAY = "credential.api-keys.cache.invalidation.delay";

    @Bean
    InvalidationDelays credentialInvalidationDelays() {
        return new InvalidationDelays();
    }

    /** Without tags: the ids of keys and nodes are unbounded. */
    @Bean
    MeterBinder credentialCacheMetrics(InvalidationDelays delays, ApiKeysProperties properties) {
        return registry -> {
            if (properties.cache().enabled()) {
                delays.addMeter(Timer.builder(INVALIDATION_DELAY)
                        .description("Time from the change of an API key on another node until this node drops it from"
                                + " its cache")
                        .register(registry)::record);
            }
        };
    }
}
