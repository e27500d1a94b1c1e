package io.credential.spring.autoconfigure.security;

import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authorization.AuthorizationEventPublisher;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.util.function.SingletonSupplier;

/**
 * The application's beans that a scope check works with, looked up at the first check. Looked up while the check itself
 * is being made, every bean that they depend on would come into being without it. Thread-safe.
 */
final class ApplicationSecurity implements AuthorizationEventPublisher, SecurityContextHolderStrategy {

    private final Supplier<Optional<AuthorizationEventPublisher>> events;
    private final Supplier<Optional<SecurityContextHolderStrategy>> contextHolder;

    ApplicationSecurity(
            ObjectProvider<AuthorizationEventPublisher> events,
            ObjectProvider<SecurityContextHolderStrategy> contextHolders) {
        this.events = SingletonSupplier.of(() -> Optional.ofNullable(events.getIfUnique()));
        this.contextHolder = SingletonSupplier.of(() -> Optional.ofNullable(contextHolders.getIfUnique()));
    }

    /**
     * @throws AuthenticationCredentialsNotFoundException if there is none
     */
    Authentication authentication() {
        Authentication authentication = getContext().getAuthentication();
        if (authentication == null) {
            throw new AuthenticationCredentialsNotFoundException(
                    "A scope is demanded, and there is no authentication in the security context");
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
    public Supplier<SecurityContext> getDeferredContext() {
        return strategy().getDeferredContext();
    }

    @Override
    public void setContext(SecurityContext context) {
        strategy().setContext(context);
    }

    @Override
    public void setDeferredContext(Supplier<SecurityContext> deferredContext) {
        strategy().setDeferredContext(deferredContext);
    }

    @Override
    public SecurityContext createEmptyContext() {
        return strategy().createEmptyContext();
    }

    private SecurityContextHolderStrategy strategy() {
        return contextHolder.get().orElseGet(SecurityContextHolder::getContextHolderStrategy);
    }
}
