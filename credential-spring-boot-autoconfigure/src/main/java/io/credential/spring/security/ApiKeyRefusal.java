package io.credential.spring.security;

import java.io.IOException;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.core.context.TransientSecurityContext;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.authentication.WebAuthenticationDetailsSource;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Answers a request whose key is rejected: clears the authentication, and informs the caller and the audit trail. */
final class ApiKeyRefusal {

    private final AuthenticationEntryPoint entryPoint;
    private final SecurityContextHolderStrategy contextHolder;
    private final RejectionReport report;
    private final RejectedKeyLog log;
    private final SecurityContextRepository contexts = new RequestAttributeSecurityContextRepository();
    private final WebAuthenticationDetailsSource details = new WebAuthenticationDetailsSource();

    ApiKeyRefusal(
            AuthenticationEntryPoint entryPoint,
            SecurityContextHolderStrategy contextHolder,
            RejectionReport report,
            RejectedKeyLog log) {
        this.entryPoint = entryPoint;
        this.contextHolder = contextHolder;
        this.report = report;
        this.log = log;
    }

    /** @param keyId the id of the presented key; null if unknown */
    void answer(
            HttpServletRequest request,
            HttpServletResponse response,
            AuthenticationException refused,
            @Nullable String keyId)
            throws IOException, ServletException {
        // Transient: a chain that saves contexts in sessions would otherwise log the user of the session out.
        SecurityContext nobody = new TransientSecurityContext();
        contextHolder.setContext(nobody);
        contexts.saveContext(nobody, request, response);
        log.record(refused, keyId, request);
        if (refused instanceof RefusedCredentialsException rejection) {
            report.refused(rejection, PresentedApiKey.withoutToken(details.buildDetails(request)));
        }
        entryPoint.commence(request, response, refused);
    }
}
