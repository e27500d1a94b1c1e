package io.credential.spring.security.internal;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;

import io.credential.spring.security.ApiKeyAuthentication;
import io.credential.spring.security.ScopeAuthorizationManager;

/** The scopes that a caller has. Wildcards are scopes of API keys only: other issuers give {@code *} other meanings. */
final class HeldScopes {

    private HeldScopes() {}

    static boolean contain(@Nullable Authentication caller, String scope) {
        if (caller == null || !caller.isAuthenticated()) {
            return false;
        }
        if (caller instanceof ApiKeyAuthentication keyed) {
            return keyed.hasScope(scope);
        }
        String authority = ScopeAuthorizationManager.AUTHORITY_PREFIX + scope;
        return caller.getAuthorities().stream().anyMatch(held -> authority.equals(held.getAuthority()));
    }
}
