package io.credential.spring.security;

import java.util.Collection;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.GrantedAuthority;

import io.credential.apikey.ApiKey;

/**
 * A request that was authenticated by an API key. The principal is the {@link ApiKey}, the name its owner, and there
 * are no credentials: the token is not kept. Serializable when the key's metadata is.
 *
 * @since 0.1.0
 */
public final class ApiKeyAuthentication extends AbstractAuthenticationToken {

    /** The authority that says that a key was presented with this very request. */
    public static final String FACTOR_AUTHORITY = "FACTOR_API_KEY";

    private static final long serialVersionUID = 1L;

    private final ApiKey key;

    /** An authentication by a key that was verified, with these authorities and no others. */
    public ApiKeyAuthentication(ApiKey key, Collection<? extends GrantedAuthority> authorities) {
        super(authorities);
        this.key = key;
        setAuthenticated(true);
    }

    private ApiKeyAuthentication(Builder builder) {
        super(builder);
        this.key = builder.key;
    }

    @Override
    public ApiKey getPrincipal() {
        return key;
    }

    /** The owner of the key. */
    @Override
    public String getName() {
        return key.ownerId();
    }

    /** Always null. */
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
     * Makes a changed copy.
     *
     * @since 0.1.0
     */
    public static final class Builder extends AbstractAuthenticationBuilder<Builder> {

        private ApiKey key;

        private Builder(ApiKeyAuthentication authentication) {
            super(authentication);
            this.key = authentication.key;
        }

        /**
         * @throws IllegalArgumentException if the principal is not an {@link ApiKey}
         */
        @Override
        public Builder principal(@Nullable Object principal) {
            if (!(principal instanceof ApiKey replacement)) {
                throw new IllegalArgumentException("The principal of an ApiKeyAuthentication is an ApiKey");
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
