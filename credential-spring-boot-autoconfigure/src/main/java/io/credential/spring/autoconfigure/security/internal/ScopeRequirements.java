package io.credential.spring.autoconfigure.security.internal;

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

/** Decides whether a caller has the scopes that a method of a class requires. Thread-safe. */
public final class ScopeRequirements {

    private final ConcurrentMap<MethodClassKey, Optional<ScopeAuthorizationManager<MethodInvocation>>> byMethod =
            new ConcurrentHashMap<>();

    public ScopeRequirements() {}

    /** Returns the scopes that a call of this method of an object of this class requires, sorted. */
    public static Set<String> scopes(Method method, Class<?> targetClass) {
        return ClassRequirements.of(targetClass).of(method);
    }

    public boolean exist(Method method, Class<?> targetClass) {
        return !ClassRequirements.of(targetClass).of(method).isEmpty();
    }

    /** Returns null if the method requires no scope. */
    public @Nullable AuthorizationResult authorize(
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
