package io.credential.spring.web.internal;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.http.HttpHeaders;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditOrigin;

/**
 * Determines where the request of the calling thread came from: the address that the server reports, the header {@code
 * User-Agent}, and the entry {@code traceId} of the MDC. Does not know who is acting. Thread-safe.
 */
public final class RequestCaller implements AuditCaller {

    private static final String TRACE_ID = "traceId";

    private static final boolean SERVLETS = isPresent("jakarta.servlet.http.HttpServletRequest")
            && isPresent("org.springframework.web.context.request.ServletRequestAttributes");

    @Override
    public @Nullable String get() {
        return null;
    }

    @Override
    public AuditOrigin origin() {
        String traceId = MDC.get(TRACE_ID);
        return SERVLETS ? Servlets.origin(traceId) : new AuditOrigin(null, null, traceId);
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, RequestCaller.class.getClassLoader());
    }

    /** Loaded only if servlets are present. */
    private static final class Servlets {

        static AuditOrigin origin(@Nullable String traceId) {
            if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)) {
                return new AuditOrigin(null, null, traceId);
            }
            HttpServletRequest request = attributes.getRequest();
            try {
                return new AuditOrigin(request.getRemoteAddr(), request.getHeader(HttpHeaders.USER_AGENT), traceId);
            } catch (IllegalStateException e) {
                // The application has passed the request to another thread, and it has ended: the event still counts.
                return new AuditOrigin(null, null, traceId);
            }
        }
    }
}
