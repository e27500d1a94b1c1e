package io.credential.spring.security;

import java.io.IOException;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Authenticates requests with an API key and lets all others pass. The authentication lasts for the request: it
 * replaces that of a session, adopts nothing from it and is never stored in one. Subsequent dispatches (asynchronous,
 * error) read it from a request attribute, so that a key is verified once per request.
 *
 * <p>Runs before all other mechanisms, including login and logout: they never see a request whose key is rejected, and
 * no session of a request whose key is accepted.
 */
final class ApiKeyAuthenticationFilter extends OncePerRequestFilter {

    private final ApiKeyAuthenticationConverter converter;
    private final AuthenticationManager authenticationManager;
    private final HttpsRequirement https;
    private final NetworkRequirement networks;
    private final RequestLimits limits;
    private final ApiKeyRefusal refusal;
    private final SecurityContextHolderStrategy contextHolder;
    private final SecurityContextRepository contexts = new RequestAttributeSecurityContextRepository();

    ApiKeyAuthenticationFilter(
            ApiKeyAuthenticationConverter converter,
            AuthenticationManager authenticationManager,
            HttpsRequirement https,
            NetworkRequirement networks,
            RequestLimits limits,
            ApiKeyRefusal refusal,
            SecurityContextHolderStrategy contextHolder) {
        this.converter = converter;
        this.authenticationManager = authenticationManager;
        this.https = https;
        this.networks = networks;
        this.limits = limits;
        this.refusal = refusal;
        this.contextHolder = contextHolder;
    }

    /** Returns whether requests may present a key as a bearer token. */
    boolean acceptsBearer() {
        return converter.acceptsBearer();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        @Nullable Authentication authentication = null;
        @Nullable PresentedApiKey presented = null;
        @Nullable String claimedKey = null;
        try {
            presented = converter.convert(request);
            if (presented != null) {
                claimedKey = presented.claimedKey();
                authentication = authenticate(presented);
                if (authentication instanceof ApiKeyAuthentication keyed) {
                    https.check(request, keyed.getPrincipal(), presented.isTicket());
                    networks.check(request, keyed.getPrincipal());
                    limits.verified(request, response, keyed.getPrincipal());
                }
            }
        } catch (AuthenticationException refused) {
            AuthenticationException answer = limits.rejected(request, claimedKey, refused);
            refusal.answer(request, response, answer, keyId(authentication, presented));
            return;
        }
        if (authentication == null) {
            chain.doFilter(request, response);
            return;
        }
        SecurityContext context = contextHolder.createEmptyContext();
        context.setAuthentication(authentication);
        contextHolder.setContext(context);
        contexts.saveContext(context, request, response);
        try {
            chain.doFilter(new KeyedRequest(request), response);
        } catch (RefusedCredentialsException refused) {
            refusal.answer(request, response, refused, keyId(authentication));
        }
    }

    /** Erases the token before anything is answered or reported. */
    private Authentication authenticate(PresentedApiKey presented) {
        try {
            return authenticationManager.authenticate(presented);
        } catch (AuthenticationException refused) {
            presented.keepClaimedId();
            throw refused;
        } finally {
            presented.eraseCredentials();
        }
    }

    private static @Nullable String keyId(@Nullable Authentication verified, @Nullable PresentedApiKey presented) {
        if (verified != null) {
            return keyId(verified);
        }
        return presented != null ? presented.claimedId() : null;
    }

    private static @Nullable String keyId(Authentication authentication) {
        return authentication instanceof ApiKeyAuthentication keyed
                ? keyed.getPrincipal().id()
                : null;
    }
}
