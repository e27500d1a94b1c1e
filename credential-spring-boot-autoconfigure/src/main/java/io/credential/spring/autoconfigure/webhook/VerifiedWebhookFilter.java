package io.credential.spring.autoconfigure.webhook;

import java.io.IOException;

import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.web.filter.GenericFilterBean;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;

import io.credential.spring.webhook.VerifiedWebhookAuthentication;
import io.credential.spring.webhook.internal.WebhookSignatureFilter;

/**
 * Authenticates requests with a verified webhook signature in a security chain, and lets all others pass. The
 * authentication identifies the sender only, whatever else the request contains, lasts for the request, and is repeated
 * in error and asynchronous dispatches. It is based on what the signature filter did, which clients cannot imitate.
 */
final class VerifiedWebhookFilter extends GenericFilterBean {

    private final SecurityContextHolderStrategy contextHolder;

    VerifiedWebhookFilter(SecurityContextHolderStrategy contextHolder) {
        this.contextHolder = contextHolder;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request instanceof HttpServletRequest http) {
            authenticate(http);
        }
        chain.doFilter(request, response);
    }

    private void authenticate(HttpServletRequest request) {
        Object verified = WebhookSignatureFilter.verified(request);
        String sender = WebhookSignatureFilter.sender(request);
        if (verified == null || sender == null) {
            return;
        }
        // Cookies do not authenticate these requests, so CSRF is impossible.
        CsrfFilter.skipRequest(request);
        endSession(request);
        SecurityContext context = contextHolder.createEmptyContext();
        context.setAuthentication(new VerifiedWebhookAuthentication(sender, verified));
        contextHolder.setContext(context);
    }

    /** Ends a session that a chain has created for this request. Error dispatches see other sessions. */
    private static void endSession(HttpServletRequest request) {
        HttpSession session = request.getDispatcherType() == DispatcherType.REQUEST ? request.getSession(false) : null;
        if (session != null) {
            session.invalidate();
        }
    }
}
