package io.credential.spring.autoconfigure.webhook;

import java.util.function.Predicate;
import java.util.function.Supplier;

import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Determines whether a security chain authorizes the request: a path may match none of the chains. Loaded only if Spring
 * Security is present.
 *
 * @param securityFilter looks up the filter of Spring Security
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
