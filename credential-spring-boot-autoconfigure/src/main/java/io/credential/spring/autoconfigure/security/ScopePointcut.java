package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Method;

import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

import io.credential.spring.security.RequiresScope;

/** The methods that need a scope. */
final class ScopePointcut extends StaticMethodMatcherPointcut {

    private final ScopeRequirements requirements;

    ScopePointcut(ScopeRequirements requirements) {
        this.requirements = requirements;
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, RequiresScope.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return requirements.exist(method, targetClass);
    }
}
