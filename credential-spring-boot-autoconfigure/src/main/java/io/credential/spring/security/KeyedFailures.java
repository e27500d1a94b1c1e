package io.credential.spring.security;

import java.io.IOException;

import org.jspecify.annotations.Nullable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.FactorAuthorizationDecision;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.ExceptionTranslationFilter;
import org.springframework.security.web.authentication.DelegatingAuthenticationEntryPoint;
import org.springframework.security.web.util.ThrowableAnalyzer;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Answers failures of requests that were authenticated by a key, before the mechanisms of the chain do: these would ask
 * for a password or an access token, depending on the media types that the client accepts. Does nothing in a chain
 * whose entry point the application has set, unless that is a {@code DelegatingAuthenticationEntryPoint}.
 */
final class KeyedFailures {

    private static final String FACTOR = "FACTOR_";

    private final AuthenticationEntryPoint entryPoint;
    private final AccessDeniedHandler accessDeniedHandler;
    private final ThrowableAnalyzer analyzer = new ThrowableAnalyzer();
    private boolean isActive;

    KeyedFailures(AuthenticationEntryPoint entryPoint, AccessDeniedHandler accessDeniedHandler) {
        this.entryPoint = entryPoint;
        this.accessDeniedHandler = accessDeniedHandler;
    }

    AuthenticationEntryPoint entryPoint() {
        return entryPoint;
    }

    AccessDeniedHandler accessDeniedHandler() {
        return accessDeniedHandler;
    }

    /**
     * Takes over from the mechanisms of the chain to which this filter belongs, but not from the application. Spring Security
     * combines the mechanisms in a {@code DelegatingAuthenticationEntryPoint}. One that the application sets looks the same,
     * unless it is set as a method reference.
     */
    void activateFor(ExceptionTranslationFilter filter) {
        isActive = filter.getAuthenticationEntryPoint() instanceof DelegatingAuthenticationEntryPoint;
    }

    /** Returns whether the failure is answered. */
    boolean answer(Throwable failure, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (!isActive || response.isCommitted()) {
            return false;
        }
        Throwable[] causes = analyzer.determineCauseChain(failure);
        if (analyzer.getFirstThrowableOfType(AuthenticationException.class, causes)
                instanceof AuthenticationException unauthenticated) {
            entryPoint.commence(request, response, unauthenticated);
            return true;
        }
        if (analyzer.getFirstThrowableOfType(AccessDeniedException.class, causes)
                        instanceof AuthorizationDeniedException denied
                && isForMissingFactor(denied.getAuthorizationResult())) {
            accessDeniedHandler.handle(request, response, denied);
            return true;
        }
        return false;
    }

    /** For a missing factor, Spring Security asks the mechanism that would provide it, not the handler of denials. */
    private static boolean isForMissingFactor(@Nullable AuthorizationResult result) {
        return result instanceof FactorAuthorizationDecision
                || (result instanceof AuthorityAuthorizationDecision decision
                        && decision.getAuthorities().stream()
                                .anyMatch(authority ->
                                        String.valueOf(authority.getAuthority()).startsWith(FACTOR)));
    }
}
