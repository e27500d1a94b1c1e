package io.credential.spring.security.internal;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

import io.credential.spring.security.ScopeAuthorizationManager;

/** Determines which scopes the caller lacks. */
public final class MissingScopes {

    private MissingScopes() {}

    /** Returns the missing scopes; empty if the denial is not about scopes. */
    public static RequiredScopes of(Authentication caller, @Nullable AuthorizationResult denial) {
        return denial instanceof ScopeDecision decision
                ? decision.missing()
                : RequiredScopes.of(ofAuthorities(caller, denial), List.of());
    }

    private static List<String> ofAuthorities(Authentication caller, @Nullable AuthorizationResult denial) {
        if (!(denial instanceof AuthorityAuthorizationDecision decision)) {
            return List.of();
        }
        List<String> held = caller.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .toList();
        return decision.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .filter(needed -> needed != null && needed.startsWith(ScopeAuthorizationManager.AUTHORITY_PREFIX))
                .filter(needed -> !held.contains(needed))
                .map(needed -> needed.substring(ScopeAuthorizationManager.AUTHORITY_PREFIX.length()))
                .sorted()
                .toList();
    }
}
