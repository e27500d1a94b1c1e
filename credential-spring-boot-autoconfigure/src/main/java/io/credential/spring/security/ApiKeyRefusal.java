package io.credential.spring.security;

import java.io.IOException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.authentication.WebAuthenticationDetailsSource;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Ends a request whose key is refused: nobody is authenticated, and the caller and the audit trail are told. */
final class ApiKeyRefusal {

    private static final Log LOGGER = LogFactory.getLog(ApiKeyRefusal.class);

    private final AuthenticationEntryPoint entryPoint;
    private final SecurityContextHolderStrategy contextHolder;
    private final RejectionReport report;
    private final SecurityContextRepository contexts = new RequestAttributeSecurityContextRepository();
    private final WebAuthenticationDetailsSource details = new WebAuthenticationDetailsSource();

    ApiKeyRefusal(
            AuthenticationEntryPoint entryPoint, SecurityContextHolderStrategy contextHolder, RejectionReport report) {
        this.entryPoint = entryPoint;
        this.contextHolder = contextHolder;
        this.report = report;
    }

    void answer(HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
            throws IOException, ServletException {
        contextHolder.clearContext();
        contexts.saveContext(contextHolder.createEmptyContext(), request, response);
        tell(refused);
        if (refused instanceof RefusedCredentialsException unseen) {
            report.refused(unseen, PresentedApiKey.withoutToken(details.buildDetails(request)));
        }
        entryPoint.commence(request, response, refused);
    }

    private static void tell(AuthenticationException refused) {
        if (refused instanceof AuthenticationServiceException && refused.getCause() != null) {
            LOGGER.warn(refused.getMessage() + ": " + refused.getCause().getMessage());
        } else {
            LOGGER.debug(refused.getMessage());
        }
    }
}
