package io.credential.spring.security;

import java.io.IOException;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.spring.security.internal.ScopeRefusals;

/**
 * Runs after the other mechanisms of the chain. Rejects a request with a key if another mechanism has authenticated it
 * too, for example with an access token in a parameter. Otherwise, that identity would also get the scopes of the key.
 * Also reports the scopes that a key lacks if a later part of the chain, such as its authorization rules, denies the
 * request, and answers what fails there as the key's, in asynchronous dispatches too.
 */
final class SoleCredentialFilter extends OncePerRequestFilter {

    private final ApiKeyRefusal refusal;
    private final ScopeRefusals scopeRefusals;
    private final KeyedFailures failures;
    private final SecurityContextHolderStrategy contextHolder;

    SoleCredentialFilter(
            ApiKeyRefusal refusal,
            ScopeRefusals scopeRefusals,
            KeyedFailures failures,
            SecurityContextHolderStrategy contextHolder) {
        this.refusal = refusal;
        this.scopeRefusals = scopeRefusals;
        this.failures = failures;
        this.contextHolder = contextHolder;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        KeyedRequest keyed = KeyedRequest.of(request);
        if (keyed == null) {
            chain.doFilter(request, response);
            return;
        }
        @Nullable Authentication last = contextHolder.getContext().getAuthentication();
        if (!(last instanceof ApiKeyAuthentication)) {
            refusal.answer(
                    request,
                    response,
                    new RefusedCredentialsException(
                            RefusedCredentialsException.AMBIGUOUS,
                            "The request contains another credential besides the API key"),
                    null);
            return;
        }
        keyed.openSession();
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException denied) {
            scopeRefusals.requestDenied(last, denied, request);
            if (!failures.answer(denied, request, response)) {
                throw denied;
            }
        }
    }
}
