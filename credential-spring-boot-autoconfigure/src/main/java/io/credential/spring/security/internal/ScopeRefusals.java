package io.credential.spring.security.internal;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.spring.security.ApiKeyAuthentication;

/**
 * Reports to the audit trail that a valid API key lacked a scope: {@code apikey.authorize}, failure, {@code
 * insufficient-scope}; and counts it in the usage of the key. Does not report callers of other mechanisms, or registries
 * that do not audit failures.
 * Thread-safe.
 */
public final class ScopeRefusals {

    private static final String OPERATION = "apikey.authorize";
    private static final int MAX_CAUSES = 16;

    private final AuditTrail audit;
    private final Set<String> silentNamespaces;
    private final BiConsumer<String, String> usage;

    /**
     * @param caller names who is acting on the calling thread
     * @param silentNamespaces the registries whose failures are not audited
     * @param usage counts a request whose key lacks a scope, given its namespace and id. It mentions no type of the library
     *     of API keys, because scopes are checked without this library, too
     */
    public ScopeRefusals(
            AuditSink sink,
            AuditCaller caller,
            InstantSource clock,
            Set<String> silentNamespaces,
            BiConsumer<String, String> usage) {
        this(new AuditTrail(sink, caller, clock, "api-key", true, true), silentNamespaces, usage);
    }

    public ScopeRefusals(AuditTrail audit, Set<String> silentNamespaces, BiConsumer<String, String> usage) {
        this.audit = audit;
        this.silentNamespaces = Set.copyOf(silentNamespaces);
        this.usage = usage;
    }

    /**
     * Reports a method that the caller may not call.
     *
     * @param handler the method, for the audit trail
     * @return the exception to throw, which is not reported again
     */
    public AuthorizationDeniedException denied(
            @Nullable Authentication caller, AuthorizationResult denial, String handler) {
        report(caller, denial, Map.of("handler", handler));
        return new ReportedDenialException(denial);
    }

    /** Reports a request that ended in a denial, unless {@link #denied} has reported it. */
    public void requestDenied(@Nullable Authentication caller, Throwable thrown, HttpServletRequest request) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof AuthorizationDeniedException denied) {
                if (!(denied instanceof ReportedDenialException)) {
                    report(
                            caller,
                            denied.getAuthorizationResult(),
                            Map.of("method", request.getMethod(), "path", PrintableText.of(request.getRequestURI())));
                }
                return;
            }
            cause = cause.getCause();
        }
    }

    private void report(
            @Nullable Authentication caller, @Nullable AuthorizationResult denial, Map<String, Object> place) {
        if (!(caller instanceof ApiKeyAuthentication keyed)) {
            return;
        }
        RequiredScopes missing = MissingScopes.of(caller, denial);
        if (missing.isEmpty()) {
            return;
        }
        usage.accept(keyed.getPrincipal().namespace(), keyed.getPrincipal().id());
        if (!silentNamespaces.contains(keyed.getPrincipal().namespace())) {
            Map<String, Object> attributes = new LinkedHashMap<>(place);
            attributes.put("missingScopes", missing.all());
            if (!missing.alternatives().isEmpty()) {
                attributes.put(
                        "missingAnyOf",
                        missing.alternatives().stream()
                                .map(group -> String.join(" or ", group))
                                .toList());
            }
            audit.failure(OPERATION, "insufficient-scope", keyed.getPrincipal().id(), attributes);
        }
    }

    private static final class ReportedDenialException extends AuthorizationDeniedException {

        private static final long serialVersionUID = 1L;

        ReportedDenialException(AuthorizationResult result) {
            super("Access Denied", result);
        }
    }
}
