package io.credential.spring.security.internal;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.core.annotation.CurrentSecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.web.context.request.NativeWebRequest;

import io.credential.apikey.ApiKey;
import io.credential.spring.web.internal.TrustedArgumentResolver;

/**
 * Resolves controller arguments of type {@link ApiKey} and {@code Optional<ApiKey>} to the key that authenticated the
 * request. If a required key is missing, an {@link AccessDeniedException} is thrown: 401 for callers without
 * authentication, 403 for others. Arguments with an annotation of Spring Security are left to Spring Security.
 * Thread-safe.
 */
public final class ApiKeyArgumentResolver extends TrustedArgumentResolver {

    private final SecurityContextHolderStrategy contextHolder;

    /** Creates a resolver that reads the security context from this strategy. */
    public ApiKeyArgumentResolver(SecurityContextHolderStrategy contextHolder) {
        super(ApiKey.class);
        this.contextHolder = contextHolder;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return super.supportsParameter(parameter)
                && !parameter.hasParameterAnnotation(AuthenticationPrincipal.class)
                && !parameter.hasParameterAnnotation(CurrentSecurityContext.class);
    }

    @Override
    protected @Nullable Object find(Class<?> type, NativeWebRequest request) {
        Authentication caller = contextHolder.getContext().getAuthentication();
        return caller != null && caller.isAuthenticated() && caller.getPrincipal() instanceof ApiKey key ? key : null;
    }

    @Override
    protected RuntimeException missing(Class<?> type, NativeWebRequest request) {
        return new AccessDeniedException("This request needs an API key, and was not authenticated by one");
    }
}
