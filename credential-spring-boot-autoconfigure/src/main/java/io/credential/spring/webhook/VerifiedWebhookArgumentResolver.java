package io.credential.spring.webhook;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/**
 * Hands controllers what the {@link WebhookSignatureFilter} verified, as an argument of type {@link VerifiedWebhook} or
 * {@link ProcessorVerification}. Never hands out null: on a request that was not verified the call fails. Thread-safe.
 *
 * @since 0.1.0
 */
public final class VerifiedWebhookArgumentResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        return type == VerifiedWebhook.class || type == ProcessorVerification.class;
    }

    /**
     * @throws IllegalStateException when the request was not verified, or by the other kind of signature
     */
    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest webRequest,
            @Nullable WebDataBinderFactory binderFactory) {
        HttpServletRequest request = webRequest.getNativeRequest(HttpServletRequest.class);
        Object verified = request == null ? null : WebhookSignatureFilter.verified(request);
        Class<?> type = parameter.getParameterType();
        if (!type.isInstance(verified)) {
            throw new IllegalStateException(
                    "A " + type.getSimpleName() + " is wanted, but the signature of this request"
                            + (verified == null ? " was not verified" : " is of the other kind")
                            + ": name its path under 'credential.webhook.inbound.<name>.paths' with the algorithm it needs");
        }
        return verified;
    }
}
