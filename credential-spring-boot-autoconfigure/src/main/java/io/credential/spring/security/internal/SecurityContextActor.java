package io.credential.spring.security.internal;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditOrigin;
import io.credential.spring.security.ApiKeyAuthentication;
import io.credential.spring.web.internal.RequestCaller;
import io.credential.spring.webhook.VerifiedWebhookAuthentication;

/**
 * Determines the actor of audit events: {@code api-key:<id>} for a request with a key, {@code webhook:<name>} for a
 * verified webhook, the name of any other authentication, or null without authentication. Reads the security context of
 * the calling thread. The origin is that of the request. Thread-safe.
 */
public final class SecurityContextActor implements AuditCaller {

    private final RequestCaller request = new RequestCaller();
    private final Supplier<SecurityContextHolderStrategy> contextHolder;

    /** @param contextHolder the strategy of the application */
    public SecurityContextActor(Supplier<SecurityContextHolderStrategy> contextHolder) {
        this.contextHolder = contextHolder;
    }

    @Override
    public @Nullable String get() {
        Authentication authentication = contextHolder.get().getContext().getAuthentication();
        if (authentication == null || !authentication.isAuthenticated()) {
            return null;
        }
        if (authentication instanceof ApiKeyAuthentication apiKey) {
            return "api-key:" + apiKey.getPrincipal().id();
        }
        if (authentication instanceof VerifiedWebhookAuthentication webhook) {
            return "webhook:" + webhook.getName();
        }
        return authentication.getName();
    }

    @Override
    public AuditOrigin origin() {
        return request.origin();
    }
}
