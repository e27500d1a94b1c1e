package io.credential.spring.autoconfigure.security;

import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.security.web.SecurityFilterChain;

import io.credential.spring.security.ApiKeyConfigurer;

/** Warns at startup if registries are configured but no security chain accepts their keys. */
final class NoChainWarning implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(NoChainWarning.class);

    private final BooleanSupplier registries;
    private final ObjectProvider<SecurityFilterChain> chains;

    NoChainWarning(BooleanSupplier registries, ObjectProvider<SecurityFilterChain> chains) {
        this.registries = registries;
        this.chains = chains;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (registries.getAsBoolean() && chains.stream().noneMatch(ApiKeyConfigurer::isInstalledIn)) {
            LOG.warn("API-key registries are configured, but no security chain accepts their keys, because this"
                    + " application does not use the default chain of Spring Boot. Add"
                    + " http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults()) to the chains that should accept"
                    + " keys, or set credential.api-keys.install-in=every-chain. If none should, set it to 'none'.");
        }
    }
}
