package io.credential.spring.webhook.internal;

import org.jspecify.annotations.Nullable;

import jakarta.servlet.http.HttpServletRequest;

/**
 * What {@link WebhookSignatureFilter} notes about a request. Applications that receive no webhooks can ask it without
 * the library that verifies them.
 */
public final class VerifiedRequest {

    private static final String VERIFIED = VerifiedRequest.class.getName() + ".VERIFIED";

    private VerifiedRequest() {}

    /** Returns whether the filter has verified the request. */
    public static boolean isVerified(HttpServletRequest request) {
        return verified(request) != null;
    }

    static @Nullable Object verified(HttpServletRequest request) {
        return request.getAttribute(VERIFIED);
    }

    static void note(HttpServletRequest request, Object verified) {
        request.setAttribute(VERIFIED, verified);
    }
}
