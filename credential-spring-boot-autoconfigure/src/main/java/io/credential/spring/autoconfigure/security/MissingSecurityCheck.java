package io.credential.spring.autoconfigure.security;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.security.internal.ClassRequirements;

/** Fails startup if a bean requires scopes, which nothing enforces without Spring Security. */
final class MissingSecurityCheck implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(MissingSecurityCheck.class);

    private final ConfigurableListableBeanFactory beans;

    MissingSecurityCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            try {
                Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
                // The singleton of a factory is the factory, not what it creates.
                check(
                        name,
                        bean == null || bean instanceof FactoryBean
                                ? beans.getType(name, false)
                                : AopProxyUtils.ultimateTargetClass(bean));
            } catch (BeansException | LinkageError | IllegalStateException unresolvable) {
                // Classes of an unused bean may be missing.
                LOG.debug("Not checked for @RequiresScope: bean '{}'", name, unresolvable);
            }
        }
    }

    private static void check(String beanName, @Nullable Class<?> type) {
        if (type != null && !ClassRequirements.of(type).isEmpty()) {
            throw new CredentialConfigurationException(
                    "@RequiresScope on " + type.getName() + " (bean '" + beanName
                            + "') is not enforced, because Spring Security is not on the class path.",
                    "Add spring-boot-starter-security, or remove the annotation.");
        }
    }
}
