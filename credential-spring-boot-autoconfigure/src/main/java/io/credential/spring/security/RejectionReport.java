package io.credential.spring.security;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.BadCredentialsException;

import io.credential.apikey.ApiKey;
import io.credential.apikey.internal.usage.RejectionCause;
import io.credential.apikey.internal.usage.UsageRecorder;
import io.credential.audit.internal.AuditTrail;
import io.credential.spring.security.internal.PrintableText;

/**
 * Reports keys that a chain rejects without asking a registry, which would report them itself, and counts the rejected
 * requests of verified keys in their usage. The reports omit registries that do not audit failures, and never contain a
 * token.
 */
final class RejectionReport {

    private static final String VERIFY = "apikey.verify";
    private static final String REDEEM = "apikey.redeem";
    private static final String AUTHORIZE = "apikey.authorize";

    private final AuditTrail audit;
    private final AuthenticationEventPublisher events;
    private final Set<String> acceptedNamespaces;
    private final Set<String> silentNamespaces;
    private final UsageRecorder usage;

    /** @param silentNamespaces those whose failures are not audited */
    RejectionReport(
            AuditTrail audit,
            AuthenticationEventPublisher events,
            Set<String> acceptedNamespaces,
            Set<String> silentNamespaces,
            UsageRecorder usage) {
        this.audit = audit;
        this.events = events;
        this.acceptedNamespaces = acceptedNamespaces;
        this.silentNamespaces = silentNamespaces;
        this.usage = usage;
    }

    /** Reports a key of a registry that the chain does not accept; the key was not verified. */
    void notAccepted(String namespace) {
        if (isAudited(namespace)) {
            audit.rejection(VERIFY, "not-accepted", null, Map.of("namespace", namespace));
        }
    }

    /** Reports a ticket of a registry that the chain does not accept; the ticket was not redeemed. */
    void ticketNotAccepted(String namespace) {
        if (isAudited(namespace)) {
            audit.rejection(REDEEM, "not-accepted", null, Map.of("namespace", namespace));
        }
    }

    /** Reports a ticket parameter whose value is not a ticket. */
    void malformedTicket() {
        if (isAudited()) {
            audit.rejection(REDEEM, "malformed", null, Map.of());
        }
    }

    /** Reports a ticket of a namespace that has no registry. */
    void foreignTicket() {
        if (isAudited()) {
            audit.rejection(REDEEM, "foreign-namespace", null, Map.of());
        }
    }

    /** Reports credentials that no provider has seen, for which Spring Security would publish no event. */
    void refused(RefusedCredentialsException refused, PresentedApiKey presented) {
        events.publishAuthenticationFailure(new BadCredentialsException(refused.getMessage()), presented);
        if (isAudited()) {
            audit.rejection(VERIFY, refused.reason(), null, Map.of());
        }
    }

    /** Reports a key that was rejected after too many others. */
    void tooManyFailures() {
        if (isAudited()) {
            audit.rejection(VERIFY, "too-many-failures", null, Map.of());
        }
    }

    /** Reports a verified key that has reached its rate limit. */
    void rateLimited(ApiKey key) {
        usage.rejected(key.namespace(), key.id(), RejectionCause.RATE);
        if (isAudited(key.namespace())) {
            audit.rejection(AUTHORIZE, "rate-limited", key.id(), Map.of("namespace", key.namespace()));
        }
    }

    /** Reports a verified key that has reached its quota. */
    void quotaExceeded(ApiKey key) {
        usage.rejected(key.namespace(), key.id(), RejectionCause.QUOTA);
        if (isAudited(key.namespace())) {
            audit.rejection(AUTHORIZE, "quota-exceeded", key.id(), Map.of("namespace", key.namespace()));
        }
    }

    /** Reports a verified key that was sent over plain HTTP. */
    void plainHttp(ApiKey key) {
        if (isAudited(key.namespace())) {
            audit.rejection(AUTHORIZE, "plain-http", key.id(), Map.of("namespace", key.namespace()));
        }
    }

    /** Reports a redeemed ticket that was sent over plain HTTP. */
    void ticketOverPlainHttp(ApiKey key) {
        if (isAudited(key.namespace())) {
            audit.rejection(REDEEM, "plain-http", key.id(), Map.of("namespace", key.namespace()));
        }
    }

    /**
     * Reports a verified key that was sent from a network that it does not allow.
     *
     * @param address the address of the client; null if unknown
     */
    void networkNotAllowed(ApiKey key, @Nullable String address) {
        usage.rejected(key.namespace(), key.id(), RejectionCause.NETWORK);
        if (isAudited(key.namespace())) {
            audit.rejection(
                    AUTHORIZE,
                    "network",
                    key.id(),
                    Map.of(
                            "namespace",
                            key.namespace(),
                            "address",
                            address == null ? "unknown" : PrintableText.of(address)));
        }
    }

    private boolean isAudited(String namespace) {
        return !silentNamespaces.contains(namespace);
    }

    /** Returns whether a key is audited whose registry is unknown. */
    private boolean isAudited() {
        return !silentNamespaces.containsAll(acceptedNamespaces);
    }
}
