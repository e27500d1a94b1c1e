package io.credential.spring.autoconfigure.security;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.credential.spring.security.RequiresScope;
import io.credential.spring.security.ScopeAuthorizationManager;

/** Which scopes a method needs: what its class, the method itself and all they inherit from say, added up. */
final class ScopeRequirements {

    private final ConcurrentMap<MethodClassKey, Optional<ScopeAuthorizationManager<MethodInvocation>>> byMethod =
            new ConcurrentHashMap<>();

    boolean exist(Method method, Class<?> targetClass) {
        return !of(method, targetClass).isEmpty();
    }

    /**
     * @throws IllegalStateException if the method needs no scope: nothing was asked that could be granted
     */
    AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, MethodInvocation invocation) {
        AuthorizationResult result = authorizeIfDemanded(authentication, invocation);
        if (result == null) {
            throw new IllegalStateException("No scope is demanded for " + invocation.getMethod());
        }
        return result;
    }

    /** Null when the method needs no scope. */
    @Nullable AuthorizationResult authorizeIfDemanded(
            Supplier<? extends @Nullable Authentication> authentication, MethodInvocation invocation) {
        Object target = invocation.getThis();
        Method method = invocation.getMethod();
        Class<?> targetClass = target == null ? method.getDeclaringClass() : target.getClass();
        return byMethod.computeIfAbsent(new MethodClassKey(method, targetClass), key -> manager(method, targetClass))
                .map(manager -> manager.authorize(authentication, invocation))
                .orElse(null);
    }

    private static Optional<ScopeAuthorizationManager<MethodInvocation>> manager(Method method, Class<?> targetClass) {
        Set<String> scopes = of(method, targetClass);
        return scopes.isEmpty()
                ? Optional.empty()
                : Optional.of(ScopeAuthorizationManager.hasScope(scopes.toArray(String[]::new)));
    }

    static Set<String> of(Method method, Class<?> targetClass) {
        Class<?> type = ClassUtils.getUserClass(targetClass);
        Method specific = AopUtils.getMostSpecificMethod(method, type);
        Set<String> scopes = new TreeSet<>(on(specific));
        scopes.addAll(on(method));
        // toString() and its like are no operations of the application; loggers and collections call them.
        if (!ReflectionUtils.isObjectMethod(specific)) {
            scopes.addAll(on(type));
        }
        return scopes;
    }

    static Set<String> on(AnnotatedElement element) {
        Set<String> scopes = new TreeSet<>();
        MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(RequiresScope.class)
                .map(ScopeRequirements::scopes)
                .forEach(scopes::addAll);
        return scopes;
    }

    private static Set<String> scopes(MergedAnnotation<RequiresScope> annotation) {
        return new TreeSet<>(Arrays.asList(annotation.getStringArray(MergedAnnotation.VALUE)));
    }
}
