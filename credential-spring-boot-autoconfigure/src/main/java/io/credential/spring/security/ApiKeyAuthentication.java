package io.credential.spring.security;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.Transient;
import org.springframework.security.core.authority.FactorGrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

import io.credential.apikey.ApiKey;
import io.credential.apikey.internal.ScopeWildcards;

/**
 * The authentication of a request by an API key. The principal is the {@link ApiKey}, the name its owner, and there are
 * no credentials: the token is not kept. Never stored in an HTTP session, where it would outlive a revocation of the
 * key. Serializable if the key's metadata is.
 *
 * @since 0.1.0
 */
@Transient
public final class ApiKeyAuthentication extends AbstractAuthenticationToken {

    /** The authority of a request that presented a key. */
    public static final String FACTOR_AUTHORITY = "FACTOR_API_KEY";

    private static final long serialVersionUID = 1L;

    private final ApiKey key;
    private final boolean scopeWildcards;

    /** Creates an authentication by a verified key, with exactly these authorities. */
    public ApiKeyAuthentication(ApiKey key, Collection<? extends GrantedAuthority> authorities) {
        this(key, authorities, false);
    }

    private ApiKeyAuthentication(
            ApiKey key, Collection<? extends GrantedAuthority> authorities, boolean scopeWildcards) {
        super(authorities);
        this.key = key;
        this.scopeWildcards = scopeWildcards;
        setAuthenticated(true);
    }

    /**
     * Returns the authentication of a request that presented this key: its authorities are the scopes of the key, and
     * {@link #FACTOR_AUTHORITY}.
     *
     * @param verifiedAt when the key was verified
     */
    public static ApiKeyAuthentication of(ApiKey key, Instant verifiedAt) {
        return of(key, verifiedAt, false);
    }

    /**
     * Returns the authentication of a request that presented this key, as {@link #of(ApiKey, Instant)} does.
     *
     * @param scopeWildcards whether wildcards among the scopes of the key stand for others, see {@link #hasScope}
     */
    public static ApiKeyAuthentication of(ApiKey key, Instant verifiedAt, boolean scopeWildcards) {
        List<GrantedAuthority> authorities = new ArrayList<>();
        for (String scope : key.scopes()) {
            authorities.add(new SimpleGrantedAuthority(ScopeAuthorizationManager.AUTHORITY_PREFIX + scope));
        }
        authorities.add(FactorGrantedAuthority.withAuthority(FACTOR_AUTHORITY)
                .issuedAt(verifiedAt)
                .build());
        return new ApiKeyAuthentication(key, authorities, scopeWildcards);
    }

    private ApiKeyAuthentication(Builder builder) {
        super(builder);
        this.key = builder.key;
        this.scopeWildcards = builder.scopeWildcards;
    }

    /**
     * Returns whether this caller has a scope: the authority {@code SCOPE_<scope>}, or if {@code
     * credential.api-keys.scopes.wildcards} is true, the authority of a scope of the key that stands for it. {@code *} stands
     * for every scope, and {@code orders:*} for those that begin with {@code orders:}. Authorities that another mechanism has
     * added are never wildcards.
     */
    public boolean hasScope(String scope) {
        return hasAuthorityOf(scope)
                || (scopeWildcards
                        && key.scopes().stream()
                                .anyMatch(held -> ScopeWildcards.grants(held, scope) && hasAuthorityOf(held)));
    }

    private boolean hasAuthorityOf(String scope) {
        String authority = ScopeAuthorizationManager.AUTHORITY_PREFIX + scope;
        return getAuthorities().stream().anyMatch(held -> authority.equals(held.getAuthority()));
    }

    @Override
    public ApiKey getPrincipal() {
        return key;
    }

    @Override
    public String getName() {
        return key.ownerId();
    }

    @Override
    public @Nullable Object getCredentials() {
        return null;
    }

    @Override
    public Builder toBuilder() {
        return new Builder(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ApiKeyAuthentication && super.equals(other);
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    /**
     * Builds a changed copy.
     *
     * @since 0.1.0
     */
    public static final class Builder extends AbstractAuthenticationBuilder<Builder> {

        private final boolean scopeWildcards;
        private ApiKey key;

        private Builder(ApiKeyAuthentication authentication) {
            super(authentication);
            this.key = authentication.key;
            this.scopeWildcards = authentication.scopeWildcards;
        }

        /**
         * @throws IllegalArgumentException if the principal is not an {@link ApiKey}
         */
        @Override
        public Builder principal(@Nullable Object principal) {
            if (!(principal instanceof ApiKey replacement)) {
                throw new IllegalArgumentException("The principal of an ApiKeyAuthentication must be an ApiKey");
            }
            this.key = replacement;
            return this;
        }

        @Override
        public ApiKeyAuthentication build() {
            return new ApiKeyAuthentication(this);
        }
    }
}
