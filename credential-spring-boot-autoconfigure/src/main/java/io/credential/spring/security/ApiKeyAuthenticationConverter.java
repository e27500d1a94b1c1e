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
import io.credential.spring.security.internal.ApiKeyHeader;
import io.credential.spring.webhook.internal.VerifiedRequest;

/**
 * Reads the API key of a request, from its own header or from {@code Authorization: ApiKey <token>}. A request with two
 * keys, or with a key and another credential in {@code Authorization}, is rejected. Ignores the keys of verified
 * webhooks.
 */
final class ApiKeyAuthenticationConverter implements AuthenticationConverter {

    private static final String SCHEME = "apikey";

    private final String headerName;
    private final RequestMatcher exceptions;
    private final WebAuthenticationDetailsSource details = new WebAuthenticationDetailsSource();

    /**
     * @param exceptions the requests whose keys are ignored
     * @throws IllegalArgumentException if a header of that name cannot contain keys
     */
    ApiKeyAuthenticationConverter(String headerName, RequestMatcher exceptions) {
        this.headerName = ApiKeyHeader.requireUsable(headerName);
        this.exceptions = exceptions;
    }

    /**
     * Returns whether the request contains anything that claims to be a key, and is not ignored. Such a request is
     * either authenticated by the key or rejected.
     */
    boolean carriesKey(HttpServletRequest request) {
        boolean carried = request.getHeader(headerName) != null
                || headers(request, HttpHeaders.AUTHORIZATION).stream()
                        .anyMatch(ApiKeyAuthenticationConverter::hasApiKeyScheme);
        return carried && !isIgnored(request);
    }

    /**
     * Reads each header once.
     *
     * @return null if {@link #carriesKey} is false
     * @throws RefusedCredentialsException if there is more than one credential, or a key longer than any key is
     */
    @Override
    public @Nullable PresentedApiKey convert(HttpServletRequest request) {
        List<String> authorizations = headers(request, HttpHeaders.AUTHORIZATION);
        List<String> tokens = new ArrayList<>(headers(request, headerName));
        int others = 0;
        for (String authorization : authorizations) {
            if (hasApiKeyScheme(authorization)) {
                tokens.add(authorization.substring(SCHEME.length()));
            } else {
                others++;
            }
        }
        if (tokens.isEmpty() || isIgnored(request)) {
            return null;
        }
        if (tokens.size() + others > 1) {
            throw new RefusedCredentialsException(
                    RefusedCredentialsException.AMBIGUOUS, "The request contains more than one credential");
        }
        String value = tokens.get(0);
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

    private static boolean hasApiKeyScheme(String authorization) {
        return authorization.length() >= SCHEME.length()
                && authorization
                        .substring(0, SCHEME.length())
                        .toLowerCase(Locale.ROOT)
                        .equals(SCHEME)
                && (authorization.length() == SCHEME.length()
                        || Character.isWhitespace(authorization.charAt(SCHEME.length())));
    }

    private static List<String> headers(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders(name));
    }
}
