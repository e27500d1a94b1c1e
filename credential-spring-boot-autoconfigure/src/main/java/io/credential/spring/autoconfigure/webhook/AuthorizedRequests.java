package io.credential.spring.autoconfigure.webhook;

import java.util.function.Predicate;
import java.util.function.Supplier;

import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Tells whether the security chain that a request meets authorizes requests at all. That there are chains says nothing
 * about a path that none of them matches. Loaded only where Spring Security is.
 *
 * @param securityFilter looks up the filter that Spring Security registers
 */
record AuthorizedRequests(Supplier<Object> securityFilter) implements Predicate<HttpServletRequest> {

    @Override
    public boolean test(HttpServletRequest request) {
        if (securityFilter.get() instanceof FilterChainProxy proxy) {
            for (SecurityFilterChain chain : proxy.getFilterChains()) {
                if (chain.matches(request)) {
                    return chain.getFilters().stream().anyMatch(AuthorizationFilter.class::isInstance);
                }
            }
        }
        return false;
    }
}
