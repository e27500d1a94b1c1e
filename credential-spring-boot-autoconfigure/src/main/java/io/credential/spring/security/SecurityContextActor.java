package io.credential.spring.security;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Tells the audit trail who acts: {@code api-key:<id>} for a request with a key, the name of the authentication for any
 * other, null where nobody is authenticated. Thread-safe; answers for the calling thread.
 *
 * @since 0.1.0
 */
public final class SecurityContextActor implements Supplier<@Nullable String> {

    @Override
    public @Nullable String get() {
        Authentication authentication =
                SecurityContextHolder.getContextHolderStrategy().getContext().getAuthentication();
        if (authentication == null || !authentication.isAuthenticated()) {
            return null;
        }
        if (authentication instanceof ApiKeyAuthentication apiKey) {
            return "api-key:" + apiKey.getPrincipal().id();
        }
        return authentication.getName();
    }
}
