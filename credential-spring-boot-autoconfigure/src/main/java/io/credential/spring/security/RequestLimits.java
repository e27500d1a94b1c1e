package io.credential.spring.security;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.AuthenticationException;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.apikey.ApiKey;
import io.credential.ratelimit.QuotaDecision;
import io.credential.ratelimit.RateLimit;
import io.credential.ratelimit.RateLimitDecision;
import io.credential.ratelimit.internal.FailedAttempts;

/**
 * Limits the requests that contain a key: those with a valid key by its rate limit and its quota, and those that are
 * rejected by the number of rejections before. The limits are shown in the headers of draft-ietf-httpapi-ratelimit-headers.
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
     * Counts a request with a verified key, once, and shows its limits in the response. The rate limit comes first: a request
     * that it refuses does not count against the quota, which lasts longer.
     *
     * @throws TooManyRequestsException if the key has reached a limit
     * @throws AuthenticationServiceException if a limit cannot be checked
     */
    void verified(HttpServletRequest request, HttpServletResponse response, ApiKey key) {
        String name = ApiKeyRateLimits.name(key.namespace(), key.id());
        if (name.equals(request.getAttribute(COUNTED))) {
            return;
        }
        Optional<RateLimitDecision> rate = decide(() -> rateLimits.tryAcquire(key), "rate limit");
        rate.ifPresent(made -> show(response, made));
        if (rate.isPresent() && !rate.get().allowed()) {
            report.rateLimited(key);
            throw TooManyRequestsException.rateLimited(rate.get().resetAfter());
        }
        Optional<QuotaDecision> quota = decide(() -> rateLimits.tryAcquireQuota(key), "quota");
        quota.ifPresent(made -> show(response, made));
        if (quota.isPresent() && !quota.get().allowed()) {
            report.quotaExceeded(key);
            throw TooManyRequestsException.quotaExceeded(quota.get().resetAfter());
        }
        request.setAttribute(COUNTED, name);
    }

    private static <T> Optional<T> decide(Supplier<Optional<T>> limit, String name) {
        try {
            return limit.get();
        } catch (RuntimeException undecided) {
            throw new AuthenticationServiceException("The " + name + " of an API key cannot be checked", undecided);
        }
    }

    private static void show(HttpServletResponse response, RateLimitDecision decision) {
        RateLimit limit = decision.limit();
        response.setHeader(POLICY_HEADER, "\"default\";q=" + limit.limit() + ";w=" + limit.windowSeconds());
        response.setHeader(
                LIMIT_HEADER, "\"default\";r=" + decision.remaining() + ";t=" + seconds(decision.resetAfter()));
    }

    /** Both headers are lists, of which a value may be in another line. */
    private static void show(HttpServletResponse response, QuotaDecision decision) {
        response.addHeader(
                POLICY_HEADER,
                "\"quota\";q=" + decision.quota().limit() + ";w="
                        + decision.period().toSeconds());
        response.addHeader(
                LIMIT_HEADER, "\"quota\";r=" + decision.remaining() + ";t=" + seconds(decision.resetAfter()));
    }

    /** Rounds up: a caller that waits as long is not refused again. */
    static long seconds(Duration wait) {
        return wait.plusNanos(999_999_999).toSeconds();
    }
}
