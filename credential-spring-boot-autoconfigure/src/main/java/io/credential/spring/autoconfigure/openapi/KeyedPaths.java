package io.credential.spring.autoconfigure.openapi;

import java.util.function.Predicate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import io.credential.spring.security.ApiKeyConfigurer;

/** Determines which requests the security chains authenticate by API keys, and which they permit to everyone. */
final class KeyedPaths {

    private static final Authentication NOBODY = new AnonymousAuthenticationToken(
            "openapi", "anonymous", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"));

    private final ObjectProvider<SecurityFilterChain> chains;
    private final ObjectProvider<WebInvocationPrivilegeEvaluator> privileges;

    KeyedPaths(ObjectProvider<SecurityFilterChain> chains, ObjectProvider<WebInvocationPrivilegeEvaluator> privileges) {
        this.chains = chains;
        this.privileges = privileges;
    }

    /** Returns whether keys are accepted there. Without a current request, any chain counts. */
    boolean acceptKeys(String path, String method) {
        return accept(path, method, ApiKeyConfigurer::isInstalledIn);
    }

    /** Returns whether keys are accepted there as bearer tokens too. Without a current request, any chain counts. */
    boolean acceptBearer(String path, String method) {
        return accept(path, method, ApiKeyConfigurer::acceptsBearer);
    }

    private boolean accept(String path, String method, Predicate<SecurityFilterChain> accepting) {
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current)) {
            return chains.stream().anyMatch(accepting);
        }
        DocumentedRequest request = new DocumentedRequest(current.getRequest(), path, method);
        return chains.orderedStream()
                .filter(chain -> chain.matches(request))
                .findFirst()
                .filter(accepting)
                .isPresent();
    }

    /** Returns whether a chain rejects requests without a credential. */
    boolean rejectOthers(String path, String method) {
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes current)) {
            return false;
        }
        DocumentedRequest request = new DocumentedRequest(current.getRequest(), path, method);
        return privileges.stream().anyMatch(evaluator -> !permits(evaluator, request));
    }

    private static boolean permits(WebInvocationPrivilegeEvaluator evaluator, DocumentedRequest request) {
        try {
            return evaluator.isAllowed(request.getContextPath(), request.pathInContext(), request.getMethod(), NOBODY);
        } catch (RuntimeException e) {
            // A rule of the application may read parts that this request does not have.
            return false;
        }
    }
}
