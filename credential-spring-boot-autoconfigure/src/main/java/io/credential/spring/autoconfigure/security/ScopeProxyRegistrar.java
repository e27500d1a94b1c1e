package io.credential.spring.autoconfigure.security;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Makes sure that there is a proxy creator: with {@code spring.aop.auto=false} there would be none, and the scope checks
 * would silently be off. Whether it subclasses is the application's choice, as everywhere in Spring Boot.
 */
final class ScopeProxyRegistrar implements ImportBeanDefinitionRegistrar {

    private final Environment environment;

    ScopeProxyRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
    }
}
