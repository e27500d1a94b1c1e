package io.credential.spring.security;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.audit.internal.AuditTrail;
import io.credential.audit.internal.Rejections;
import io.credential.spring.security.internal.PrintableText;

/**
 * Logs requests whose key was rejected, with details of the caller but without the token. Anyone can cause such
 * requests, so the first of each reason is logged at once, and those of the next minute as a count. Thread-safe.
 */
final class RejectedKeyLog {

    private static final Logger LOG = LoggerFactory.getLogger(RejectedKeyLog.class);

    private static final String UNAVAILABLE = "unavailable";

    /** For the operator to act on. */
    private static final Set<String> URGENT =
            Set.of(UNAVAILABLE, PlainHttpException.REASON, NetworkNotAllowedException.REASON);

    private final InstantSource clock;
    private final Rejections rejections = new Rejections(AuditTrail.REJECTION_INTERVAL);

    RejectedKeyLog(InstantSource clock) {
        this.clock = clock;
    }

    /** @param keyId the unverified id in the token; null if the token does not have the format of a key */
    void record(AuthenticationException refused, @Nullable String keyId, HttpServletRequest request) {
        Rejections.Report report =
                rejections.note("API key rejected", reason(refused), keyId, Map.of(), clock.instant());
        if (report == null) {
            LOG.debug("{}", refused.getMessage());
        } else if (report.count()) {
            logCount(report);
        } else {
            LOG.atLevel(level(report))
                    .setCause(refused.getCause())
                    .log(
                            "{}: id={} address={} request={} {}",
                            refused.getMessage(),
                            keyId != null ? keyId : "unknown",
                            PrintableText.of(String.valueOf(request.getRemoteAddr())),
                            PrintableText.of(request.getMethod()),
                            PrintableText.of(request.getRequestURI()));
        }
    }

    /** Logs the number of rejections of each reason that were only counted. */
    void logCounts() {
        rejections.all(clock.instant()).forEach(RejectedKeyLog::logCount);
    }

    private static void logCount(Rejections.Report report) {
        LOG.atLevel(level(report))
                .log(
                        "{}: {} more: reason={} ids={}",
                        report.name(),
                        report.attributes().get("count"),
                        report.reason(),
                        report.attributes().getOrDefault("ids", "unknown"));
    }

    private static Level level(Rejections.Report report) {
        return URGENT.contains(report.reason()) ? Level.WARN : Level.INFO;
    }

    private static String reason(AuthenticationException refused) {
        if (refused instanceof RefusedCredentialsException rejection) {
            return rejection.reason();
        }
        if (refused instanceof TooManyRequestsException limited) {
            return limited.reason();
        }
        if (refused instanceof PlainHttpException) {
            return PlainHttpException.REASON;
        }
        if (refused instanceof NetworkNotAllowedException) {
            return NetworkNotAllowedException.REASON;
        }
        return refused instanceof AuthenticationServiceException ? UNAVAILABLE : "invalid";
    }
}
