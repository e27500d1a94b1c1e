package io.credential.spring.security;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

import io.credential.spring.security.internal.RequiredScopes;

/**
 * Requires scopes, for {@code authorizeHttpRequests} and {@link RequiresScope}. A scope is the authority {@code
 * SCOPE_<scope>} of any mechanism, so that access tokens with the same scopes are accepted as well. For API keys, see
 * {@link ApiKeyAuthentication#hasScope}. A denial contains the missing scopes. Immutable.
 *
 * @param <T> the type of object to authorize; not used
 * @since 0.1.0
 */
public final class ScopeAuthorizationManager<T> implements AuthorizationManager<T> {

    /** Authorities of scopes start with this. */
    public static final String AUTHORITY_PREFIX = "SCOPE_";

    private final RequiredScopes required;

    private ScopeAuthorizationManager(Collection<String> all, Collection<String> anyOf) {
        this.required = RequiredScopes.of(all, anyOf);
        if (required.isEmpty()) {
            throw new IllegalArgumentException("Name at least one scope; without one, everyone would be authorized");
        }
        if (required.names().stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("A scope must not be blank");
        }
    }

    /**
     * Requires all of these scopes, for example {@code requests.requestMatchers(GET,
     * "/orders").access(hasScope("orders:read"))}.
     *
     * @throws IllegalArgumentException if no scope is given, or one is blank
     */
    public static <T> ScopeAuthorizationManager<T> hasScope(String... scopes) {
        return new ScopeAuthorizationManager<>(Arrays.asList(scopes), List.of());
    }

    /**
     * Requires one of these scopes.
     *
     * @throws IllegalArgumentException if no scope is given, or one is blank
     */
    public static <T> ScopeAuthorizationManager<T> hasAnyScope(String... scopes) {
        return new ScopeAuthorizationManager<>(List.of(), Arrays.asList(scopes));
    }

    @Override
    public AuthorizationResult authorize(Supplier<? extends @Nullable Authentication> authentication, T object) {
        return required.decide(authentication.get());
    }

    @Override
    public String toString() {
        return "ScopeAuthorizationManager[" + required + "]";
    }
}
