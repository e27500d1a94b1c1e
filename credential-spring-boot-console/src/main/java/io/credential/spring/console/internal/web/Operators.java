package io.credential.spring.console.internal.web;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

import io.credential.spring.autoconfigure.properties.ConsoleProperties.Authorities;

/** Tells who sent a request, by the login of the application. */
public final class Operators {

    private static final AuthenticationTrustResolver TRUST = new AuthenticationTrustResolverImpl();

    private final Supplier<SecurityContextHolderStrategy> contexts;
    private final Map<Access, String> authorities;
    private final Predicate<Authentication> isApiKey;

    /**
     * @param contexts returns where the application keeps the authentication of a request
     * @param isApiKey whether a request was authenticated by an API key
     */
    public Operators(
            Supplier<SecurityContextHolderStrategy> contexts,
            Authorities authorities,
            Predicate<Authentication> isApiKey) {
        this.contexts = contexts;
        this.authorities = new EnumMap<>(Map.of(
                Access.VIEW, authorities.view(),
                Access.PAYLOADS, authorities.payloads(),
                Access.OPERATE, authorities.operate(),
                Access.KEYS, authorities.keys(),
                Access.ADMIN, authorities.admin()));
        this.isApiKey = isApiKey;
    }

    /**
     * Returns who sent the current request.
     *
     * @throws ConsoleException if it was not authenticated, or was authenticated by an API key: the console is for the
     *     sessions of people
     */
    Operator current() {
        @Nullable Authentication caller = contexts.get().getContext().getAuthentication();
        if (caller == null || !caller.isAuthenticated() || TRUST.isAnonymous(caller)) {
            throw ConsoleException.forbidden("Log in to use the console.");
        }
        if (isApiKey.test(caller)) {
            throw ConsoleException.forbidden("The console does not accept API keys. Log in with a browser.");
        }
        Set<String> held = caller.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .collect(Collectors.toSet());
        return new Operator(
                caller.getName(),
                authorities.entrySet().stream()
                        .filter(authority -> held.contains(authority.getValue()))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet()));
    }

    /** Returns the authority that stands for this access. */
    String authority(Access access) {
        return authorities.getOrDefault(access, "");
    }
}
