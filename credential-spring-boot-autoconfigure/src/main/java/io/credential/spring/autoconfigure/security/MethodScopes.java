package io.credential.spring.autoconfigure.security;

import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.method.MethodAuthorizationDeniedHandler;
import org.springframework.security.core.Authentication;

import io.credential.spring.autoconfigure.security.internal.ScopeRequirements;

/** Authorizes calls of beans, and fails those that are denied. */
final class MethodScopes implements AuthorizationManager<MethodInvocation>, MethodAuthorizationDeniedHandler {

    private final ScopeRequirements requirements;
    private final ApplicationSecurity security;

    MethodScopes(ScopeRequirements requirements, ApplicationSecurity security) {
        this.requirements = requirements;
        this.security = security;
    }

    /**
     * @throws IllegalStateException if the method requires no scope, and the pointcut should not match it
     */
    @Override
    public AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        AuthorizationResult result = requirements.authorize(authentication, invocation, type);
        if (result == null) {
            throw new IllegalStateException("No scope is required for " + invocation.getMethod());
        }
        return result;
    }

    /** @throws AuthorizationDeniedException always; that of a nested call is thrown unchanged */
    @Override
    public Object handleDeniedInvocation(MethodInvocation invocation, AuthorizationResult result) {
        if (result instanceof AuthorizationDeniedException ofAnotherCall) {
            throw ofAnotherCall;
        }
        throw security.denied(invocation, result);
    }
}
