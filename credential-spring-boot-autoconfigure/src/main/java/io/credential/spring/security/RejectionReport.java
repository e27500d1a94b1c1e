package io.credential.spring.security;

import java.util.Map;
import java.util.Set;

import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.BadCredentialsException;

import io.credential.audit.AuditTrail;

/**
 * Reports keys that a chain rejects without asking a registry, which would report them itself. Never contains a token.
 */
final class RejectionReport {

    private static final String OPERATION = "apikey.verify";

    private final AuditTrail audit;
    private final AuthenticationEventPublisher events;
    private final Set<String> acceptedNamespaces;
    private final Set<String> silentNamespaces;

    /** @param silentNamespaces those whose failures are not audited */
    RejectionReport(
            AuditTrail audit,
            AuthenticationEventPublisher events,
            Set<String> acceptedNamespaces,
            Set<String> silentNamespaces) {
        this.audit = audit;
        this.events = events;
        this.acceptedNamespaces = acceptedNamespaces;
        this.silentNamespaces = silentNamespaces;
    }

    /** Reports a key of a registry that the chain does not accept; the key was not verified. */
    void notAccepted(String namespace) {
        if (!silentNamespaces.contains(namespace)) {
            audit.rejection(OPERATION, "not-accepted", null, Map.of("namespace", namespace));
        }
    }

    /** Reports credentials that no provider has seen, for which Spring Security would publish no event. */
    void refused(RefusedCredentialsException refused, PresentedApiKey presented) {
        events.publishAuthenticationFailure(new BadCredentialsException(refused.getMessage()), presented);
        if (!silentNamespaces.containsAll(acceptedNamespaces)) {
            audit.rejection(OPERATION, refused.reason(), null, Map.of());
        }
    }
}
