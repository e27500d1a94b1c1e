package io.credential.spring.security;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.spring.security.internal.MissingScopes;
import io.credential.spring.security.internal.RequiredScopes;
import io.credential.spring.web.internal.ProblemResponse;

/**
 * Answers a request that was authenticated by an API key and is denied: 403 with a problem body (RFC 9457) that names
 * the missing scopes, as far as they are known. Other requests are answered as without this handler. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ApiKeyAccessDeniedHandler implements AccessDeniedHandler {

    /**
     * The code in the body if scopes are missing; their names are in the member {@code missingScopes}. The member {@code
     * missingAnyOf} lists groups of scopes, of each of which one would suffice.
     */
    public static final String INSUFFICIENT_SCOPE = "api-key/insufficient-scope";

    /** The code in the body if access was denied for another reason. */
    public static final String FORBIDDEN = "api-key/forbidden";

    private final SecurityContextHolderStrategy contextHolder;
    private final boolean bearer;
    private final AccessDeniedHandler fallback = new AccessDeniedHandlerImpl();

    /** Creates a handler that reads the authentication from the {@link SecurityContextHolder}. */
    public ApiKeyAccessDeniedHandler() {
        this(SecurityContextHolder.getContextHolderStrategy(), false);
    }

    /** @param bearer whether keys may be bearer tokens, whose denial needs a challenge */
    ApiKeyAccessDeniedHandler(SecurityContextHolderStrategy contextHolder, boolean bearer) {
        this.contextHolder = contextHolder;
        this.bearer = bearer;
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException, ServletException {
        Authentication authentication = contextHolder.getContext().getAuthentication();
        if (!(authentication instanceof ApiKeyAuthentication)) {
            fallback.handle(request, response, denied);
            return;
        }
        if (response.isCommitted()) {
            return;
        }
        RequiredScopes missing = denied instanceof AuthorizationDeniedException decided
                ? MissingScopes.of(authentication, decided.getAuthorizationResult())
                : RequiredScopes.NONE;
        if (bearer && BearerChallenge.isIn(request)) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, BearerChallenge.insufficientScope(missing));
        }
        if (missing.isEmpty()) {
            new ProblemResponse(HttpStatus.FORBIDDEN, FORBIDDEN, "This API key does not permit this request")
                    .writeTo(response);
            return;
        }
        insufficientScope(missing).writeTo(response);
    }

    private static ProblemResponse insufficientScope(RequiredScopes missing) {
        List<String> lacking = new ArrayList<>();
        if (!missing.all().isEmpty()) {
            lacking.add((missing.all().size() == 1 ? "the scope " : "the scopes ") + String.join(", ", missing.all()));
        }
        missing.alternatives().forEach(group -> lacking.add("one of the scopes " + String.join(", ", group)));
        ProblemResponse problem = new ProblemResponse(
                        HttpStatus.FORBIDDEN,
                        INSUFFICIENT_SCOPE,
                        "This API key lacks " + String.join(", and ", lacking))
                .with("missingScopes", missing.all());
        return missing.alternatives().isEmpty() ? problem : problem.with("missingAnyOf", missing.alternatives());
    }
}
