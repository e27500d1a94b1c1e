package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationEventPublisher;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.audit.internal.CurrentActor;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.security.internal.ApiKeySecuritySettings;
import io.credential.spring.security.internal.ScopeRefusals;

/**
 * Provides the application's beans for a scope check, looked up at the first check. If they were looked up when the
 * check is created, all beans that they depend on would be created before it. Thread-safe.
 */
final class ApplicationSecurity implements AuthorizationEventPublisher, SecurityContextHolderStrategy {

    private final Supplier<Optional<AuthorizationEventPublisher>> events;
    private final Supplier<Optional<SecurityContextHolderStrategy>> contextHolder;
    private final Supplier<ScopeRefusals> refusals;

    /** @param clock used if nothing else is configured */
    ApplicationSecurity(BeanFactory beans, InstantSource clock) {
        this.events = unique(beans.getBeanProvider(AuthorizationEventPublisher.class));
        this.contextHolder = unique(beans.getBeanProvider(SecurityContextHolderStrategy.class));
        this.refusals = SingletonSupplier.of(() -> refusals(beans, clock));
    }

    private static <T> Supplier<Optional<T>> unique(ObjectProvider<T> beans) {
        return SingletonSupplier.of(() -> Optional.ofNullable(beans.getIfUnique()));
    }

    private static ScopeRefusals refusals(BeanFactory beans, InstantSource clock) {
        AuditCaller caller = CurrentActor.supplier(beans);
        ApiKeySecuritySettings settings =
                beans.getBeanProvider(ApiKeySecuritySettings.class).getIfAvailable();
        if (settings != null) {
            return new ScopeRefusals(
                    settings.auditSink(), caller, settings.clock(), settings.unaudited(), settings.scopeUsage());
        }
        AuditSink sink = SharedBeans.sole(beans.getBeanProvider(AuditSink.class), AuditSink.class)
                .orElseGet(AuditSink::none);
        return new ScopeRefusals(sink, caller, clock, Set.of(), (namespace, id) -> {});
    }

    /** Reports a call that is denied, and returns the exception to throw. */
    AuthorizationDeniedException denied(MethodInvocation call, AuthorizationResult result) {
        Method method = call.getMethod();
        Object target = call.getThis();
        Class<?> type = target == null ? method.getDeclaringClass() : AopProxyUtils.ultimateTargetClass(target);
        return refusals.get()
                .denied(
                        getContext().getAuthentication(),
                        result,
                        ClassUtils.getUserClass(type).getName() + "." + method.getName());
    }

    /**
     * @throws AuthenticationCredentialsNotFoundException if there is none
     */
    Authentication authentication() {
        Authentication authentication = getContext().getAuthentication();
        if (authentication == null) {
            throw new AuthenticationCredentialsNotFoundException(
                    "A scope is required, but the security context has no authentication;"
                            + " add a security filter chain for this request, or authenticate the calling thread");
        }
        return authentication;
    }

    @Override
    public <T> void publishAuthorizationEvent(
            Supplier<Authentication> authentication, T object, @Nullable AuthorizationResult result) {
        events.get().ifPresent(publisher -> publisher.publishAuthorizationEvent(authentication, object, result));
    }

    @Override
    public void clearContext() {
        strategy().clearContext();
    }

    @Override
    public SecurityContext getContext() {
        return strategy().getContext();
    }

    @Override
    public void setContext(SecurityContext context) {
        strategy().setContext(context);
    }

    @Override
    public SecurityContext createEmptyContext() {
        return strategy().createEmptyContext();
    }

    private SecurityContextHolderStrategy strategy() {
        return contextHolder.get().orElseGet(SecurityContextHolder::getContextHolderStrategy);
    }
}
