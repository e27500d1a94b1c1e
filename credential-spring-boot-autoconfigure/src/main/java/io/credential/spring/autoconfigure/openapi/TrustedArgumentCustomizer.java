package io.credential.spring.autoconfigure.openapi;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.web.method.HandlerMethod;

import io.swagger.v3.oas.models.Operation;

import io.credential.spring.web.internal.TrustedArgumentResolver;

/** Removes optional trusted arguments; springdoc ignores types, but not those within an {@link Optional}. */
final class TrustedArgumentCustomizer implements GlobalOperationCustomizer {

    private final ObjectProvider<TrustedArgumentResolver> resolvers;

    TrustedArgumentCustomizer(ObjectProvider<TrustedArgumentResolver> resolvers) {
        this.resolvers = resolvers;
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        if (operation.getParameters() != null) {
            Set<String> trusted = Arrays.stream(handler.getMethodParameters())
                    .filter(parameter -> parameter.getParameterType() == Optional.class && isTrusted(parameter))
                    .map(parameter -> String.valueOf(parameter.getParameter().getName()))
                    .collect(Collectors.toSet());
            operation.getParameters().removeIf(parameter -> trusted.contains(parameter.getName()));
            if (operation.getParameters().isEmpty()) {
                operation.setParameters(null);
            }
        }
        return operation;
    }

    private boolean isTrusted(MethodParameter parameter) {
        return resolvers.stream().anyMatch(resolver -> resolver.supportsParameter(parameter));
    }
}
