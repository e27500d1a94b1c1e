package io.credential.spring.webhook;

import java.util.Optional;

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
 * {@link ProcessorVerification}, or as an {@link Optional} of one. Never hands out null: on a request that was not
 * verified the call fails, and an Optional is empty. Must come before all other resolvers, of which some fill such an
 * argument from request parameters. Thread-safe.
 *
 * @since 0.1.0
 */
public final class VerifiedWebhookArgumentResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        Class<?> type = parameter.nestedIfOptional().getNestedParameterType();
        return type == VerifiedWebhook.class || type == ProcessorVerification.class;
    }

    /**
     * @throws IllegalStateException when the request was not verified, or by the other kind of signature, and the
     *     argument is not an Optional
     */
    @Override
    public Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest webRequest,
            @Nullable WebDataBinderFactory binderFactory) {
        HttpServletRequest request = webRequest.getNativeRequest(HttpServletRequest.class);
        Object verified = request == null ? null : WebhookSignatureFilter.verified(request);
        Class<?> type = parameter.nestedIfOptional().getNestedParameterType();
        if (parameter.isOptional() && parameter.getParameterType() == Optional.class) {
            return type.isInstance(verified) ? Optional.of(verified) : Optional.empty();
        }
        if (!type.isInstance(verified)) {
            throw new IllegalStateException("The controller takes a " + type.getSimpleName()
                    + ", but the signature of this request"
                    + (verified == null ? " was not verified" : " is of the other kind")
                    + ": add its path and method to 'credential.webhook.inbound.<name>', or take an Optional");
        }
        return verified;
    }
}
