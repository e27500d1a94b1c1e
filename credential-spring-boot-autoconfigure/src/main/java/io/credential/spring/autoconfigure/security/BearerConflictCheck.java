package io.credential.spring.autoconfigure.security;

import java.util.function.BooleanSupplier;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.SecurityFilterChain;

import jakarta.servlet.Filter;

import io.credential.spring.security.ApiKeyConfigurer;

/**
 * Fails the startup if a chain accepts keys as bearer tokens, and also contains the filter of an OAuth 2 resource server:
 * each would reject the tokens of the other. The filter is found however it was added.
 */
final class BearerConflictCheck implements SmartInitializingSingleton {

    private static final String RESOURCE_SERVER_FILTER =
            "org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter";

    private final BooleanSupplier registries;
    private final ObjectProvider<SecurityFilterChain> chains;

    /** @param registries whether there are keys to accept; otherwise, the chains are not checked */
    BearerConflictCheck(BooleanSupplier registries, ObjectProvider<SecurityFilterChain> chains) {
        this.registries = registries;
        this.chains = chains;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (registries.getAsBoolean()) {
            chains.stream()
                    .filter(ApiKeyConfigurer::acceptsBearer)
                    .filter(chain -> chain.getFilters().stream().anyMatch(BearerConflictCheck::isResourceServer))
                    .findFirst()
                    .ifPresent(BearerConflictCheck::refuse);
        }
    }

    private static void refuse(SecurityFilterChain chain) {
        Object requests = chain instanceof DefaultSecurityFilterChain known ? known.getRequestMatcher() : chain;
        throw new IllegalStateException("The security filter chain for " + requests
                + " accepts API keys as bearer tokens, and is also an OAuth 2 resource server. Turn bearer tokens off for"
                + " this chain with http.with(ApiKeyConfigurer.apiKeys(), keys -> keys.acceptBearer(false)), or move the"
                + " resource server to a chain with another securityMatcher.");
    }

    /** Compares names, because the library may be missing. */
    private static boolean isResourceServer(Filter filter) {
        for (Class<?> type = filter.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(RESOURCE_SERVER_FILTER)) {
                return true;
            }
        }
        return false;
    }
}
