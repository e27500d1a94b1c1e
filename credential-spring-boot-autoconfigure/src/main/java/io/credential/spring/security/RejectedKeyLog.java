package io.credential.spring.security;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Logs requests whose key was refused, for whoever looks for the caller: never the token. Anybody can cause such a
 * request, so one line an interval is written for each reason, at once for the first, with the number of those that were
 * not written. Thread-safe.
 */
final class RejectedKeyLog {

    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(RejectedKeyLog.class);

    private final InstantSource clock;
    private final Map<String, Counter> byReason = new ConcurrentHashMap<>();

    RejectedKeyLog(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param keyId the id in the token, when the token has the form of a key; nobody has verified it
     */
    void record(AuthenticationException refused, @Nullable String keyId, HttpServletRequest request) {
        String reason = reason(refused);
        long unwritten = byReason.computeIfAbsent(reason, key -> new Counter()).count(clock.millis());
        if (unwritten < 0) {
            LOG.debug("API key refused: {}", refused.getMessage());
            return;
        }
        LOG.atLevel(refused instanceof AuthenticationServiceException ? Level.WARN : Level.INFO)
                .setCause(refused.getCause())
                .log(
                        "API key refused: {}: reason={} id={} address={} request={} {}, and {} more with this reason"
                                + " since the last such line",
                        refused.getMessage(),
                        reason,
                        keyId != null ? keyId : "unknown",
                        PrintableText.of(request.getRemoteAddr()),
                        PrintableText.of(request.getMethod()),
                        PrintableText.of(request.getRequestURI()),
                        unwritten);
    }

    private static String reason(AuthenticationException refused) {
        if (refused instanceof RefusedCredentialsException unseen) {
            return unseen.reason();
        }
        return refused instanceof AuthenticationServiceException ? "unavailable" : "rejected";
    }

    private static final class Counter {

        private boolean written;
        private long writtenAt;
        private long unwritten;

        /** How many were not written since the last one that was; negative when this one is not to be either. */
        synchronized long count(long now) {
            if (written && now >= writtenAt && now - writtenAt < INTERVAL.toMillis()) {
                unwritten++;
                return -1;
            }
            long before = unwritten;
            written = true;
            writtenAt = now;
            unwritten = 0;
            return before;
        }
    }
}
