package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.security.web.SecurityFilterChain;

/**
 * Recognizes the chain that Spring Boot creates if neither the application nor another auto-configuration defines one.
 * With Actuator, a different class declares it.
 */
final class DefaultChain {

    private static final Set<String> DECLARED_BY = Set.of(
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration");

    private final ConfigurableListableBeanFactory beans;

    DefaultChain(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Returns whether it is the only chain that is being created. */
    boolean isInCreation() {
        List<String> inCreation = Arrays.stream(beans.getBeanNamesForType(SecurityFilterChain.class, true, false))
                .filter(beans::isCurrentlyInCreation)
                .toList();
        return inCreation.size() == 1 && DECLARED_BY.contains(declaredBy(inCreation.get(0)));
    }

    private String declaredBy(String chain) {
        Method method = beans.getMergedBeanDefinition(chain) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        @Nullable Class<?> outermost = method == null ? null : method.getDeclaringClass();
        while (outermost != null && outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        return outermost == null ? "" : outermost.getName();
    }
}
