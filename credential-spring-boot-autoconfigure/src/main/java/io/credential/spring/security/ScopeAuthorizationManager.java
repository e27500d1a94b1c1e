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
 * Demands scopes, for {@code authorizeHttpRequests} and {@link RequiresScope}. A scope is the authority
 * {@code SCOPE_<scope>} of whatever mechanism authenticated the caller, so that access tokens with the same scopes pass
 * as well. A denial carries the scopes that are missing. Immutable.
 *
 * @param <T> the kind of object that access is asked for; not looked at
 * @since 0.1.0
 */
public final class ScopeAuthorizationManager<T> implements AuthorizationManager<T> {

    static final String AUTHORITY_PREFIX = "SCOPE_";

    private final List<String> needed;
    private final AllAuthoritiesAuthorizationManager<T> manager;

    private ScopeAuthorizationManager(Collection<String> scopes) {
        if (scopes.isEmpty()) {
            throw new IllegalArgumentException("Name at least one scope; none would let everybody in");
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
        // Not with the prefix as an argument: that refuses a scope that begins with it.
        this.manager = AllAuthoritiesAuthorizationManager.hasAllAuthorities(needed);
    }

    /**
     * Demands all of these scopes, for example
     * {@code requests.requestMatchers(GET, "/orders").access(hasScope("orders:read"))}.
     *
     * @throws IllegalArgumentException if no scope is named, or a blank one
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
