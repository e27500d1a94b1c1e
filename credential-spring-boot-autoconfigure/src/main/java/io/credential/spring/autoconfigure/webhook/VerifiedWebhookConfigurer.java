package io.credential.spring.autoconfigure.webhook;

import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.csrf.CsrfFilter;

/** Lets a security chain authenticate verified webhooks. */
final class VerifiedWebhookConfigurer extends AbstractHttpConfigurer<VerifiedWebhookConfigurer, HttpSecurity> {

    /**
     * Twice: ahead of the CSRF check and of every other mechanism, and behind them, so that none of them leaves its own
     * identity or session in place of the sender's or beside it.
     */
    @Override
    public void configure(HttpSecurity http) {
        VerifiedWebhookFilter filter = postProcess(new VerifiedWebhookFilter(getSecurityContextHolderStrategy()));
        http.addFilterBefore(filter, CsrfFilter.class);
        http.addFilterBefore(filter, AuthorizationFilter.class);
    }
}
