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
import io.credential.spring.webhook.WebhookSignatureFilter;

/**
 * Authenticates requests whose webhook signature was verified, in a security chain, and lets all others pass. The
 * authentication is that of the sender alone, whatever else the request carries, lasts for the request, and is made again
 * in its error and asynchronous dispatches. Goes by what the signature filter has done, which no client can imitate.
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
        // No cookie carries authority here, so there is nothing that another site could make a browser abuse.
        CsrfFilter.skipRequest(request);
        endSession(request);
        SecurityContext context = contextHolder.createEmptyContext();
        context.setAuthentication(new VerifiedWebhookAuthentication(sender, verified));
        contextHolder.setContext(context);
    }

    /** One that a chain creates for every request; it is that of this request alone. Error dispatches see others. */
    private static void endSession(HttpServletRequest request) {
        HttpSession session = request.getDispatcherType() == DispatcherType.REQUEST ? request.getSession(false) : null;
        if (session != null) {
            session.invalidate();
        }
    }
}
