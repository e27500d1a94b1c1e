package io.credential.spring.security;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.security.web.authentication.WebAuthenticationDetailsSource;
import org.springframework.security.web.util.matcher.RequestMatcher;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.apikey.ApiKeyToken;
import io.credential.spring.security.internal.KeySources;
import io.credential.spring.webhook.internal.VerifiedRequest;

/**
 * Reads the API key of a request, from a header for keys, from {@code Authorization: ApiKey <token>} or, if the chain
 * accepts them, from {@code Authorization: Bearer <token>}, or a ticket from the query. A request with two of them, or
 * with another credential in {@code Authorization}, is rejected. Ignores the keys of verified webhooks.
 */
final class ApiKeyAuthenticationConverter implements AuthenticationConverter {

    private static final String SCHEME = "apikey";

    private final KeySources sources;
    private final List<String> schemes;
    private final @Nullable TicketParameter ticketParameter;
    private final RequestMatcher exceptions;
    private final WebAuthenticationDetailsSource details = new WebAuthenticationDetailsSource();

    /** @param exceptions the requests whose keys are ignored */
    ApiKeyAuthenticationConverter(KeySources sources, RequestMatcher exceptions) {
        this.sources = sources;
        this.schemes = sources.bearer() ? List.of(SCHEME, BearerChallenge.SCHEME) : List.of(SCHEME);
        this.ticketParameter =
                sources.ticketParameter() == null ? null : new TicketParameter(sources.ticketParameter());
        this.exceptions = exceptions;
    }

    boolean acceptsBearer() {
        return sources.bearer();
    }

    /**
     * Returns whether the request contains anything that claims to be a key, and is not ignored. Such a request is
     * either authenticated by the key or rejected.
     */
    boolean carriesKey(HttpServletRequest request) {
        boolean carried = sources.headerNames().stream().anyMatch(name -> request.getHeader(name) != null)
                || headers(request, HttpHeaders.AUTHORIZATION).stream().anyMatch(value -> schemeLength(value) > 0)
                || !tickets(request).isEmpty();
        return carried && !isIgnored(request);
    }

    /**
     * Reads each header once, and the query only where tickets are accepted.
     *
     * @return null if {@link #carriesKey} is false
     * @throws RefusedCredentialsException if there is more than one credential, or one longer than any key or ticket is
     */
    @Override
    public @Nullable PresentedApiKey convert(HttpServletRequest request) {
        List<String> tokens = new ArrayList<>();
        sources.headerNames().forEach(name -> tokens.addAll(headers(request, name)));
        int others = 0;
        for (String authorization : headers(request, HttpHeaders.AUTHORIZATION)) {
            int scheme = schemeLength(authorization);
            if (scheme > 0) {
                tokens.add(authorization.substring(scheme));
            } else {
                others++;
            }
        }
        List<String> tickets = tickets(request);
        if ((tokens.isEmpty() && tickets.isEmpty()) || isIgnored(request)) {
            return null;
        }
        if (tokens.size() + tickets.size() + others > 1) {
            throw new RefusedCredentialsException(
                    RefusedCredentialsException.AMBIGUOUS, "The request contains more than one credential");
        }
        return tickets.isEmpty()
                ? key(tokens.get(0), request)
                : PresentedApiKey.ofTicket(tickets.get(0), details.buildDetails(request));
    }

    private PresentedApiKey key(String value, HttpServletRequest request) {
        // One space follows the scheme. Longer values are rejected before they are trimmed.
        if (value.length() > ApiKeyToken.MAX_LENGTH + 1) {
            throw new RefusedCredentialsException(RefusedCredentialsException.TOO_LONG, "The API key is too long");
        }
        return new PresentedApiKey(value.strip(), details.buildDetails(request));
    }

    /** A verified webhook is authenticated as its sender, whatever else it contains. */
    private boolean isIgnored(HttpServletRequest request) {
        return VerifiedRequest.isVerified(request) || exceptions.matches(request);
    }

    private List<String> tickets(HttpServletRequest request) {
        return ticketParameter == null ? List.of() : ticketParameter.valuesIn(request);
    }

    /** Returns the length of the scheme of a key, or 0 if another credential follows. */
    private int schemeLength(String authorization) {
        for (String scheme : schemes) {
            if (hasScheme(authorization, scheme)) {
                return scheme.length();
            }
        }
        return 0;
    }

    /** @param scheme in lower case */
    static boolean hasScheme(String authorization, String scheme) {
        return authorization.length() >= scheme.length()
                && authorization
                        .substring(0, scheme.length())
                        .toLowerCase(Locale.ROOT)
                        .equals(scheme)
                && (authorization.length() == scheme.length()
                        || Character.isWhitespace(authorization.charAt(scheme.length())));
    }

    private static List<String> headers(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders(name));
    }
}
