package io.credential.spring.security;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.AuthenticationException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.apikey.ApiKey;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.internal.FailedAttempts;

/**
 * Limits the requests that contain a key: those with a valid key by its rate limit, and those that are rejected by the
 * number of rejections before. The limits are shown in the headers of draft-ietf-httpapi-ratelimit-headers.
 * Thread-safe.
 */
final class RequestLimits {

    private static final String POLICY_HEADER = "RateLimit-Policy";
    private static final String LIMIT_HEADER = "RateLimit";

    /** Holds the key that the request was counted for. */
    private static final String COUNTED = RequestLimits.class.getName();

    private final ApiKeyRateLimits rateLimits;
    private final @Nullable FailedAttempts failedAttempts;
    private final RejectionReport report;

    /** @param failedAttempts null if failures are not limited */
    RequestLimits(ApiKeyRateLimits rateLimits, @Nullable FailedAttempts failedAttempts, RejectionReport report) {
        this.rateLimits = rateLimits;
        this.failedAttempts = failedAttempts;
        this.report = report;
    }

    /**
     * Counts a rejection. Nothing else counts: if a key cannot be verified, it may be valid.
     *
     * @param claimedKey the unverified key; null if the token does not have the format of a key
     * @return the answer: the rejection, or that there were too many before
     */
    AuthenticationException rejected(
            HttpServletRequest request, @Nullable String claimedKey, AuthenticationException refused) {
        if (failedAttempts == null || !(refused instanceof BadCredentialsException)) {
            return refused;
        }
        Optional<Duration> wait = failedAttempts.exceededFor(request.getRemoteAddr(), claimedKey);
        failedAttempts.failed(request.getRemoteAddr(), claimedKey);
        if (wait.isEmpty()) {
            return refused;
        }
        report.tooManyFailures();
        return TooManyRequestsException.tooManyFailures(wait.get());
    }

    /**
     * Counts a request with a verified key, once, and shows the limit in the response.
     *
     * @throws TooManyRequestsException if the key has reached its limit
     * @throws AuthenticationServiceException if the limit cannot be checked
     */
    void verified(HttpServletRequest request, HttpServletResponse response, ApiKey key) {
        String name = ApiKeyRateLimits.name(key.namespace(), key.id());
        if (name.equals(request.getAttribute(COUNTED))) {
            return;
        }
        Optional<RateLimitDecision> decision = decide(key);
        decision.ifPresent(made -> show(response, made));
        if (decision.isPresent() && !decision.get().allowed()) {
            report.rateLimited(key);
            throw TooManyRequestsException.rateLimited(decision.get().resetAfter());
        }
        request.setAttribute(COUNTED, name);
    }

    private Optional<RateLimitDecision> decide(ApiKey key) {
        try {
            return rateLimits.tryAcquire(key);
        } catch (RuntimeException undecided) {
            throw new AuthenticationServiceException("The rate limit of an API key cannot be checked", undecided);
        }
    }

    private static void show(HttpServletResponse response, RateLimitDecision decision) {
        RateLimit limit = decision.limit();
        response.setHeader(POLICY_HEADER, "\"default\";q=" + limit.limit() + ";w=" + limit.windowSeconds());
        response.setHeader(
                LIMIT_HEADER, "\"default\";r=" + decision.remaining() + ";t=" + seconds(decision.resetAfter()));
    }

    /** Rounds up: a caller that waits as long is not refused again. */
    static long seconds(Duration wait) {
        return wait.plusNanos(999_999_999).toSeconds();
    }
}
