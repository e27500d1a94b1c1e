package io.credential.spring.security;

import java.io.IOException;
import java.util.List;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.spring.security.internal.KeySources;
import io.credential.spring.web.internal.ProblemResponse;
import io.credential.storage.DatabaseFault;

/**
 * Answers a request that was not authenticated by an API key: 401 with a challenge and a problem body (RFC 9457), the
 * same for every reason, 403 if a valid key was sent over plain HTTP or
 * from a network that it does not allow, 429 if a limit is reached, 503 if keys cannot be
 * verified at the moment, or 500 if the database rejects every attempt. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ApiKeyAuthenticationEntryPoint implements AuthenticationEntryPoint {

    /** The code in the body of a 401. */
    public static final String UNAUTHORIZED = "api-key/unauthorized";

    /** The code in the body of a 403 if a valid key was sent over plain HTTP. */
    public static final String HTTPS_REQUIRED = "api-key/https-required";

    /** The code in the body of a 403 if the key does not allow the network of the client. */
    public static final String NETWORK_NOT_ALLOWED = "api-key/network-not-allowed";

    /** The code in the body of a 429 if the key has reached its rate limit. */
    public static final String RATE_LIMITED = "api-key/rate-limited";

    /** The code in the body of a 429 if the key has reached its quota for the day or month. */
    public static final String QUOTA_EXCEEDED = "api-key/quota-exceeded";

    /** The code in the body of a 429 if keys of this client, or this key, were rejected too often. */
    public static final String TOO_MANY_FAILURES = "api-key/too-many-failures";

    static final String RETRY_AFTER_SECONDS = "5";

    private static final String CHALLENGE = "ApiKey realm=\"api\"";

    private final String detail;
    private final boolean bearer;

    /** @param headerName the header in which this application expects keys, named in the response */
    public ApiKeyAuthenticationEntryPoint(String headerName) {
        this(List.of(headerName), false);
    }

    ApiKeyAuthenticationEntryPoint(KeySources sources) {
        this(sources.headerNames(), sources.bearer());
    }

    private ApiKeyAuthenticationEntryPoint(List<String> headerNames, boolean bearer) {
        this.detail = "This request needs one valid API key, in the header " + String.join(" or ", headerNames);
        this.bearer = bearer;
    }

    @Override
    public void commence(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException authenticationException)
            throws IOException {
        problem(request, authenticationException, response).writeTo(response);
    }

    private ProblemResponse problem(
            HttpServletRequest request, AuthenticationException refused, HttpServletResponse response) {
        if (DatabaseFault.of(refused).filter(DatabaseFault::isPermanent).isPresent()) {
            return new ProblemResponse(
                    HttpStatus.INTERNAL_SERVER_ERROR,
                    ApiKeyErrorCode.DATABASE_ERROR.text(),
                    "API keys cannot be verified until an operator has corrected the database");
        }
        if (refused instanceof AuthenticationServiceException) {
            response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
            return new ProblemResponse(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    ApiKeyErrorCode.UNAVAILABLE.text(),
                    "API keys cannot be verified at the moment; retry later");
        }
        if (refused instanceof TooManyRequestsException limited) {
            response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(limited.waitSeconds()));
            return new ProblemResponse(
                    HttpStatus.TOO_MANY_REQUESTS,
                    limited.code(),
                    limited.getMessage() + "; retry in " + limited.waitSeconds() + " s");
        }
        if (refused instanceof PlainHttpException plain) {
            return plainHttp(plain);
        }
        if (refused instanceof NetworkNotAllowedException) {
            return new ProblemResponse(
                    HttpStatus.FORBIDDEN,
                    NETWORK_NOT_ALLOWED,
                    "This API key does not allow the network of this client");
        }
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE);
        if (bearer) {
            response.addHeader(HttpHeaders.WWW_AUTHENTICATE, BearerChallenge.unauthorized(request, refused));
        }
        return new ProblemResponse(HttpStatus.UNAUTHORIZED, UNAUTHORIZED, detail);
    }

    private static ProblemResponse plainHttp(PlainHttpException refused) {
        return new ProblemResponse(
                HttpStatus.FORBIDDEN,
                HTTPS_REQUIRED,
                refused.isTicket()
                        ? "This ticket was sent over plain HTTP, where others can read it; use HTTPS"
                        : "This API key was sent over plain HTTP, where others can read it; replace the key, and use"
                                + " HTTPS");
    }
}
