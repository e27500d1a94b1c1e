package io.credential.spring.autoconfigure.security;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.credential.spring.autoconfigure.security.internal.ClassRequirements;

/**
 * Warns at startup of scopes that beans require but that are not known. Startup continues, because access tokens may have
 * other scopes.
 */
final class UnknownScopeWarning implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(UnknownScopeWarning.class);

    private final Set<String> known;
    private final ConfigurableListableBeanFactory beans;

    /** @param known the known scopes; empty for any */
    UnknownScopeWarning(List<String> known, ConfigurableListableBeanFactory beans) {
        this.known = Set.copyOf(known);
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (known.isEmpty()) {
            return;
        }
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Set<String> unknown = new LinkedHashSet<>(required(name));
            unknown.removeAll(known);
            if (!unknown.isEmpty()) {
                LOG.warn(
                        "The scopes {}, which @RequiresScope of bean '{}' requires, are not in"
                                + " credential.api-keys.scopes.known; add them, or correct the annotation",
                        unknown,
                        name);
            }
        }
    }

    private Set<String> required(String beanName) {
        try {
            Class<?> type = beans.getType(beanName, false);
            return type == null ? Set.of() : ClassRequirements.of(type).names();
        } catch (BeansException | LinkageError | IllegalStateException unresolvable) {
            LOG.debug("Not checked for unknown scopes: bean '{}'", beanName, unresolvable);
            return Set.of();
        }
    }
}
