package io.credential.spring.autoconfigure.webhook;

import org.springframework.security.web.util.matcher.RequestMatcher;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.spring.webhook.WebhookSignatureFilter;

/** Requests that the filter has verified; a client cannot make one look so. */
final class VerifiedRequestMatcher implements RequestMatcher {

    @Override
    public boolean matches(HttpServletRequest request) {
        return WebhookSignatureFilter.verified(request) != null;
    }

    @Override
    public String toString() {
        return "requests whose webhook signature was verified (credential.webhook.inbound)";
    }
}
