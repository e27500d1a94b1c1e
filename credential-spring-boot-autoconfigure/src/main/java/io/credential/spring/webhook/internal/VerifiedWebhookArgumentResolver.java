package io.credential.spring.webhook.internal;

import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.spring.web.internal.TrustedArgumentResolver;
import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/**
 * Resolves controller arguments of type {@link VerifiedWebhook} and {@link ProcessorVerification}, and {@code
 * Optional}s of them, to what the {@link WebhookSignatureFilter} has verified. A required argument fails if the request
 * was not verified, or was verified by the other kind of signature. Thread-safe.
 */
public final class VerifiedWebhookArgumentResolver extends TrustedArgumentResolver {

    /** Creates a resolver for both types. */
    public VerifiedWebhookArgumentResolver() {
        super(VerifiedWebhook.class, ProcessorVerification.class);
    }

    @Override
    protected @Nullable Object find(Class<?> type, NativeWebRequest request) {
        Object verified = verified(request);
        return type.isInstance(verified) ? verified : null;
    }

    @Override
    protected RuntimeException missing(Class<?> type, NativeWebRequest request) {
        Object verified = verified(request);
        return new IllegalStateException("The controller takes a " + type.getSimpleName() + ", but this request was "
                + (verified == null
                        ? "not verified: add its path and method to 'credential.webhook.inbound.<name>'"
                        : "verified as " + verified.getClass().getSimpleName() + ": take that type")
                + ", or take an Optional");
    }

    private static @Nullable Object verified(NativeWebRequest request) {
        HttpServletRequest servletRequest = request.getNativeRequest(HttpServletRequest.class);
        return servletRequest == null ? null : WebhookSignatureFilter.verified(servletRequest);
    }
}
