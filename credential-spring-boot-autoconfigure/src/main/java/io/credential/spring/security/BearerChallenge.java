package io.credential.spring.security;

import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.AuthenticationException;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.spring.security.internal.RequiredScopes;

/** The challenges of RFC 6750 for chains that accept keys as bearer tokens. */
final class BearerChallenge {

    static final String SCHEME = "bearer";

    private static final String CHALLENGE = "Bearer realm=\"api\"";

    /** The characters that RFC 6750 permits; keys can have scopes with others. */
    private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]+");

    private BearerChallenge() {}

    /** Returns the challenge of a 401. It has an error only if the bearer token of the request was the reason. */
    static String unauthorized(HttpServletRequest request, AuthenticationException refused) {
        boolean ambiguous = refused instanceof RefusedCredentialsException rejection
                && rejection.reason().equals(RefusedCredentialsException.AMBIGUOUS);
        return refused instanceof BadCredentialsException && !ambiguous && isIn(request)
                ? CHALLENGE + ", error=\"invalid_token\""
                : CHALLENGE;
    }

    /** Returns the challenge of a 403, with the missing scopes if all can be written there. */
    static String insufficientScope(RequiredScopes missing) {
        String challenge = CHALLENGE + ", error=\"insufficient_scope\"";
        List<String> scopes = missing.alternatives().isEmpty() ? missing.all() : List.of();
        return !scopes.isEmpty()
                        && scopes.stream()
                                .allMatch(scope -> SCOPE.matcher(scope).matches())
                ? challenge + ", scope=\"" + String.join(" ", scopes) + "\""
                : challenge;
    }

    /** Returns whether a request contains a bearer token. */
    static boolean isIn(HttpServletRequest request) {
        return Collections.list(request.getHeaders(HttpHeaders.AUTHORIZATION)).stream()
                .anyMatch(value -> ApiKeyAuthenticationConverter.hasScheme(value, SCHEME));
    }
}
