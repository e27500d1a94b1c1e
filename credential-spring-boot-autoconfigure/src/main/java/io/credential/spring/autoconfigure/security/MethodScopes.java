package io.credential.spring.autoconfigure.security;

import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.method.MethodAuthorizationDeniedHandler;
import org.springframework.security.core.Authentication;

/** Decides on calls of beans, and ends those that are denied. */
final class MethodScopes implements AuthorizationManager<MethodInvocation>, MethodAuthorizationDeniedHandler {

    private final ScopeRequirements requirements;
    private final ApplicationSecurity security;

    MethodScopes(ScopeRequirements requirements, ApplicationSecurity security) {
        this.requirements = requirements;
        this.security = security;
    }

    @Override
    public AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> authentication, MethodInvocation invocation) {
        return requirements.authorize(authentication, invocation);
    }

    /**
     * @throws AuthorizationDeniedException always; that of a call further down as it is
     */
    @Override
    public Object handleDeniedInvocation(MethodInvocation invocation, AuthorizationResult result) {
        if (result instanceof AuthorizationDeniedException ofAnotherCall) {
            throw ofAnotherCall;
        }
        throw security.denied(invocation, result);
    }
}
