package io.credential.spring.autoconfigure.security;

import java.util.Objects;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.util.SimpleMethodInvocation;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.spring.autoconfigure.security.internal.ScopeRequirements;

/**
 * Checks the scopes of a controller method before its arguments are resolved: a caller without the scopes can neither
 * have a body read nor learn whether it is valid. The method interceptor checks again, as for every bean; denied calls
 * never reach it, so that a denial is published once.
 */
final class ScopeHandlerInterceptor implements HandlerInterceptor {

    private final ScopeRequirements requirements;
    private final ApplicationSecurity security;

    ScopeHandlerInterceptor(ScopeRequirements requirements, ApplicationSecurity security) {
        this.requirements = requirements;
        this.security = security;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        // An asynchronous dispatch returns the result of a method that was already called.
        if (handler instanceof HandlerMethod method && request.getDispatcherType() != DispatcherType.ASYNC) {
            check(method);
        }
        return true;
    }

    private void check(HandlerMethod handler) {
        Object bean = handler.getBean();
        MethodInvocation call = new SimpleMethodInvocation(target(bean), handler.getMethod());
        @Nullable AuthorizationResult result =
                requirements.authorize(security::authentication, call, AopProxyUtils.ultimateTargetClass(bean));
        if (result != null && !result.isGranted()) {
            security.publishAuthorizationEvent(security::authentication, call, result);
            throw security.denied(call, result);
        }
    }

    private static Object target(Object bean) {
        return Objects.requireNonNullElse(AopProxyUtils.getSingletonTarget(bean), bean);
    }
}
