package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Method;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

import io.credential.spring.autoconfigure.security.internal.ClassRequirements;
import io.credential.spring.autoconfigure.security.internal.ScopeRequirements;

/** Matches methods that require a scope. */
final class ScopePointcut extends StaticMethodMatcherPointcut {

    private final ScopeRequirements requirements;

    ScopePointcut(ScopeRequirements requirements) {
        this.requirements = requirements;
        // The methods of other classes, which are almost all, need not be examined.
        setClassFilter(type -> !ClassRequirements.of(type).isEmpty());
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return requirements.exist(method, targetClass);
    }

    /** Returns whether a method of this object requires a scope and no proxy checks it. */
    boolean isMissingOn(Object bean) {
        // A scoped proxy leads to an object that is created, and checked, by itself.
        return !(bean instanceof ScopedObject)
                && !isCheckedBy(bean)
                && (AopUtils.canApply(this, bean.getClass())
                        || AopUtils.canApply(this, AopProxyUtils.ultimateTargetClass(bean)));
    }

    private static boolean isCheckedBy(@Nullable Object bean) {
        return bean instanceof Advised proxy
                && (Arrays.stream(proxy.getAdvisors()).anyMatch(ScopePointcut::isOurs)
                        || isCheckedBy(AopProxyUtils.getSingletonTarget(proxy)));
    }

    private static boolean isOurs(Advisor advisor) {
        return advisor instanceof PointcutAdvisor checking && checking.getPointcut() instanceof ScopePointcut;
    }
}
