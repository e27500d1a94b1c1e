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

/** Verifies a presented key with its registry, if this chain accepts that registry. */
final class ApiKeyAuthenticationProvider implements AuthenticationProvider {

    private final ApiKeyRegistries registries;
    private final Set<String> acceptedNamespaces;
    private final InstantSource clock;
    private final RejectionReport report;

    ApiKeyAuthenticationProvider(
            ApiKeyRegistries registries, Set<String> acceptedNamespaces, InstantSource clock, RejectionReport report) {
        this.registries = registries;
        this.acceptedNamespaces = new LinkedHashSet<>(acceptedNamespaces);
        this.clock = clock;
        this.report = report;
    }

    /**
     * @throws BadCredentialsException the same for every rejected key, whatever the reason
     * @throws AuthenticationServiceException if the key could not be verified
     */
    @Override
    public Authentication authenticate(Authentication presented) {
        Optional<ApiKey> verified = Optional.empty();
        try {
            if (presented.getCredentials() instanceof String token) {
                verified =
                        registries.forToken(token).filter(this::isAccepted).flatMap(registry -> registry.verify(token));
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
        ApiKey key = verified.orElseThrow(() -> new BadCredentialsException("The API key was rejected"));
        ApiKeyAuthentication authentication = ApiKeyAuthentication.of(key, clock.instant());
        authentication.setDetails(presented.getDetails());
        return authentication;
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return PresentedApiKey.class.isAssignableFrom(authentication);
    }

    private boolean isAccepted(ApiKeyRegistry registry) {
        boolean accepted = acceptedNamespaces.contains(registry.namespace());
        if (!accepted) {
            report.notAccepted(registry.namespace());
        }
        return accepted;
    }
}
