package io.credential.spring.web.internal;

import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Resolves controller arguments of types whose values the server has verified, {@code T} and {@code Optional<T>}. Such
 * an argument is never read from the request, whatever its annotations: Spring MVC would fill it from parameters that
 * anyone can send. An argument of type {@code T} is never null. Thread-safe.
 */
public abstract class TrustedArgumentResolver implements HandlerMethodArgumentResolver {

    private final Set<Class<?>> types;

    /** Creates a resolver for arguments of exactly these types. */
    protected TrustedArgumentResolver(Class<?>... types) {
        this.types = Set.of(types);
    }

    /** Returns the types of its arguments. */
    public final Set<Class<?>> types() {
        return types;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return types.contains(type(parameter));
    }

    private static Class<?> type(MethodParameter parameter) {
        return parameter.nestedIfOptional().getNestedParameterType();
    }

    /**
     * @throws RuntimeException what {@link #missing} returns, if the argument is required and there is no value
     */
    @Override
    public final Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binderFactory) {
        Class<?> type = type(parameter);
        Object value = find(type, request);
        if (parameter.getParameterType() == Optional.class) {
            return Optional.ofNullable(value);
        }
        if (value == null) {
            throw missing(type, request);
        }
        return value;
    }

    /** Returns the verified value of this type that belongs to the request, or null. */
    protected abstract @Nullable Object find(Class<?> type, NativeWebRequest request);

    /** Returns the exception for a required argument without a value. */
    protected abstract RuntimeException missing(Class<?> type, NativeWebRequest request);
}
