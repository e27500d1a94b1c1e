package io.credential.spring.autoconfigure.security.internal;

import java.lang.reflect.Method;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

import io.credential.spring.security.internal.RequiredScopes;

/** Decides whether a caller has the scopes that a method of a class requires. Thread-safe. */
public final class ScopeRequirements {

    private final ConcurrentMap<MethodClassKey, RequiredScopes> byMethod = new ConcurrentHashMap<>();

    public ScopeRequirements() {}

    /** Returns the scopes that a call of this method of an object of this class requires. */
    public static RequiredScopes scopes(Method method, Class<?> targetClass) {
        return ClassRequirements.of(targetClass).of(method);
    }

    public boolean exist(Method method, Class<?> targetClass) {
        return !scopes(method, targetClass).isEmpty();
    }

    /** Returns null if the method requires no scope. */
    public @Nullable AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication,
            MethodInvocation invocation,
            Class<?> targetClass) {
        Method method = invocation.getMethod();
        RequiredScopes required =
                byMethod.computeIfAbsent(new MethodClassKey(method, targetClass), key -> scopes(method, targetClass));
        return required.isEmpty() ? null : required.decide(authentication.get());
    }
}
