package io.credential.spring.security.internal;

import java.util.Collection;

import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

import io.credential.spring.security.ScopeAuthorizationManager;

/** A decision about scopes, which is a grant if none is missing. Its authorities are those of all missing scopes. */
public final class ScopeDecision extends AuthorityAuthorizationDecision {

    private static final long serialVersionUID = 1L;

    private final RequiredScopes missing;

    ScopeDecision(RequiredScopes missing) {
        super(missing.isEmpty(), authorities(missing));
        this.missing = missing;
    }

    RequiredScopes missing() {
        return missing;
    }

    private static Collection<GrantedAuthority> authorities(RequiredScopes missing) {
        return missing.names().stream()
                .<GrantedAuthority>map(
                        scope -> new SimpleGrantedAuthority(ScopeAuthorizationManager.AUTHORITY_PREFIX + scope))
                .toList();
    }
}
