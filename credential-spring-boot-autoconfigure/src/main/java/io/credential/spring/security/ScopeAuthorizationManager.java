package io.credential.spring.security;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AllAuthoritiesAuthorizationManager;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

/**
 * Requires scopes, for {@code authorizeHttpRequests} and {@link RequiresScope}. A scope is the authority {@code
 * SCOPE_<scope>} of any mechanism, so that access tokens with the same scopes are accepted as well. A denial contains
 * the missing scopes. Immutable.
 *
 * @param <T> the type of object to authorize; not used
 * @since 0.1.0
 */
public final class ScopeAuthorizationManager<T> implements AuthorizationManager<T> {

    /** Authorities of scopes start with this. */
    public static final String AUTHORITY_PREFIX = "SCOPE_";

    private final List<String> needed;
    private final AllAuthoritiesAuthorizationManager<T> manager;

    private ScopeAuthorizationManager(Collection<String> scopes) {
        if (scopes.isEmpty()) {
            throw new IllegalArgumentException("Name at least one scope; without one, everyone would be authorized");
        }
        for (String scope : scopes) {
            if (scope.isBlank()) {
                throw new IllegalArgumentException("A scope must not be blank");
            }
        }
        this.needed = scopes.stream()
                .map(scope -> AUTHORITY_PREFIX + scope)
                .sorted()
                .distinct()
                .toList();
        // The factory method with a prefix rejects scopes that begin with it.
        this.manager = AllAuthoritiesAuthorizationManager.hasAllAuthorities(needed);
    }

    /**
     * Requires all of these scopes, for example {@code requests.requestMatchers(GET,
     * "/orders").access(hasScope("orders:read"))}.
     *
     * @throws IllegalArgumentException if no scope is given, or one is blank
     */
    public static <T> ScopeAuthorizationManager<T> hasScope(String... scopes) {
        return new ScopeAuthorizationManager<>(Arrays.asList(scopes));
    }

    @Override
    public AuthorizationResult authorize(Supplier<? extends @Nullable Authentication> authentication, T object) {
        return manager.authorize(authentication, object);
    }

    @Override
    public String toString() {
        return "ScopeAuthorizationManager" + needed;
    }
}
