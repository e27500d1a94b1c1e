package io.credential.spring.autoconfigure.openapi;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.core.MethodParameter;
import org.springframework.web.method.HandlerMethod;

import io.swagger.v3.oas.models.Operation;

import io.credential.apikey.ApiKey;
import io.credential.spring.autoconfigure.security.internal.ScopeRequirements;
import io.credential.spring.security.internal.RequiredScopes;

/** Marks operations for {@link ApiKeyCustomizer}, which knows their paths. */
final class ScopeCustomizer implements GlobalOperationCustomizer {

    private static final String MARK = "x-credential-scopes";
    private static final List<String> WEBHOOKS = List.of(
            "io.credential.webhook.signature.VerifiedWebhook", "io.credential.webhook.signature.ProcessorVerification");

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        if (types(handler).map(Class::getName).noneMatch(WEBHOOKS::contains)) {
            operation.addExtension(
                    MARK,
                    new Mark(
                            ScopeRequirements.scopes(handler.getMethod(), handler.getBeanType()),
                            types(handler).anyMatch(ApiKey.class::equals)));
        }
        return operation;
    }

    private static Stream<Class<?>> types(HandlerMethod handler) {
        return Arrays.stream(handler.getMethodParameters()).map(MethodParameter::getParameterType);
    }

    /** Removes and returns the mark of an operation, or null for one that takes no keys. */
    static @Nullable Mark remove(Operation operation) {
        if (operation.getExtensions() == null || !(operation.getExtensions().remove(MARK) instanceof Mark mark)) {
            return null;
        }
        if (operation.getExtensions().isEmpty()) {
            operation.setExtensions(null);
        }
        return mark;
    }

    /**
     * @param scopes the scopes that the handler requires
     * @param takesKey whether the handler has an argument that only a key can fill
     */
    record Mark(RequiredScopes scopes, boolean takesKey) {

        boolean needsKey() {
            return takesKey || !scopes.isEmpty();
        }
    }
}
