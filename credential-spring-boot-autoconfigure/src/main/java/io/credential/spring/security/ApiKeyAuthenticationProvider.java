package io.credential.spring.security;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.Authentication;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.internal.ticket.TicketText;

/** Verifies a presented key or redeems a ticket with its registry, if this chain accepts that registry. */
final class ApiKeyAuthenticationProvider implements AuthenticationProvider {

    private final ApiKeyRegistries registries;
    private final Set<String> acceptedNamespaces;
    private final InstantSource clock;
    private final RejectionReport report;
    private final boolean scopeWildcards;

    ApiKeyAuthenticationProvider(
            ApiKeyRegistries registries,
            Set<String> acceptedNamespaces,
            InstantSource clock,
            RejectionReport report,
            boolean scopeWildcards) {
        this.registries = registries;
        this.acceptedNamespaces = new LinkedHashSet<>(acceptedNamespaces);
        this.clock = clock;
        this.report = report;
        this.scopeWildcards = scopeWildcards;
    }

    /**
     * @throws BadCredentialsException the same for every rejected key, whatever the reason
     * @throws AuthenticationServiceException if the key could not be verified
     */
    @Override
    public Authentication authenticate(Authentication presented) {
        Optional<ApiKey> verified = Optional.empty();
        try {
            if (presented instanceof PresentedApiKey sent && sent.getCredentials() instanceof String text) {
                verified = sent.isTicket() ? redeemed(text) : verified(text);
            }
        } catch (ApiKeyException undecided) {
            throw new AuthenticationServiceException(
                    undecided.errorCode() == ApiKeyErrorCode.DATABASE_ERROR
                            ? "API keys cannot be verified: " + undecided.getMessage()
                            : "API keys cannot be verified at the moment",
                    undecided);
        } catch (RuntimeException fault) {
            // Otherwise the error page would answer, and ask the caller to authenticate: a 401.
            throw new AuthenticationServiceException("API keys cannot be verified", fault);
        }
        ApiKey key = verified.orElseThrow(() -> new BadCredentialsException(
                isTicket(presented) ? "The ticket was rejected" : "The API key was rejected"));
        ApiKeyAuthentication authentication = ApiKeyAuthentication.of(key, clock.instant(), scopeWildcards);
        authentication.setDetails(presented.getDetails());
        return authentication;
    }

    private Optional<ApiKey> verified(String token) {
        Optional<ApiKeyRegistry> registry = registries.forToken(token);
        registry.filter(found -> !isAccepted(found)).ifPresent(found -> report.notAccepted(found.namespace()));
        return registry.filter(this::isAccepted).flatMap(accepted -> accepted.verify(token));
    }

    private Optional<ApiKey> redeemed(String text) {
        TicketText ticket = TicketText.parse(text).orElse(null);
        if (ticket == null) {
            report.malformedTicket();
            return Optional.empty();
        }
        Optional<ApiKeyRegistry> registry = registries.all().stream()
                .filter(candidate -> candidate.namespace().equals(ticket.namespace()))
                .findFirst();
        if (registry.isEmpty()) {
            report.foreignTicket();
        }
        registry.filter(found -> !isAccepted(found)).ifPresent(found -> report.ticketNotAccepted(found.namespace()));
        return registry.filter(this::isAccepted).flatMap(accepted -> accepted.redeem(text));
    }

    private static boolean isTicket(Authentication presented) {
        return presented instanceof PresentedApiKey sent && sent.isTicket();
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return PresentedApiKey.class.isAssignableFrom(authentication);
    }

    private boolean isAccepted(ApiKeyRegistry registry) {
        return acceptedNamespaces.contains(registry.namespace());
    }
}
