package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

import io.credential.spring.security.ScopeAuthorizationManager;

/** Decides whether a caller holds the scopes that a method of a class needs. Thread-safe. */
final class ScopeRequirements {

    private final ConcurrentMap<MethodClassKey, Optional<ScopeAuthorizationManager<MethodInvocation>>> byMethod =
            new ConcurrentHashMap<>();

    boolean exist(Method method, Class<?> targetClass) {
        return !ClassRequirements.of(targetClass).of(method).isEmpty();
    }

    /**
     * Decides on a call of a bean that the pointcut has matched.
     *
     * @throws IllegalStateException if the method needs no scope: nothing was asked that could be granted
     */
    AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, MethodInvocation invocation) {
        Object target = invocation.getThis();
        Method method = invocation.getMethod();
        Class<?> targetClass = target == null ? method.getDeclaringClass() : target.getClass();
        AuthorizationResult result = authorizeIfDemanded(authentication, invocation, targetClass);
        if (result == null) {
            throw new IllegalStateException("No scope is required for " + method);
        }
        return result;
    }

    /** Null when the method needs no scope. */
    @Nullable AuthorizationResult authorizeIfDemanded(
            Supplier<? extends @Nullable Authentication> authentication,
            MethodInvocation invocation,
            Class<?> targetClass) {
        Method method = invocation.getMethod();
        return byMethod.computeIfAbsent(new MethodClassKey(method, targetClass), key -> manager(method, targetClass))
                .map(manager -> manager.authorize(authentication, invocation))
                .orElse(null);
    }

    private static Optional<ScopeAuthorizationManager<MethodInvocation>> manager(Method method, Class<?> targetClass) {
        Set<String> scopes = ClassRequirements.of(targetClass).of(method);
        return scopes.isEmpty()
                ? Optional.empty()
                : Optional.of(ScopeAuthorizationManager.hasScope(scopes.toArray(String[]::new)));
    }
}
