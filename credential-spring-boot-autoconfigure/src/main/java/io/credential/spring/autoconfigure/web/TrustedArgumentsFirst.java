package io.credential.spring.autoconfigure.web;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import io.credential.spring.web.internal.TrustedArgumentResolver;

/**
 * Puts the resolvers of trusted arguments before all others in every adapter. Otherwise those of annotations would come
 * first, and {@code @ModelAttribute} would fill such an argument from request parameters.
 */
final class TrustedArgumentsFirst implements BeanPostProcessor {

    private final ObjectProvider<TrustedArgumentResolver> trusted;

    TrustedArgumentsFirst(ObjectProvider<TrustedArgumentResolver> trusted) {
        this.trusted = trusted;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof RequestMappingHandlerAdapter adapter) {
            Set<HandlerMethodArgumentResolver> resolvers = new LinkedHashSet<>();
            trusted.forEach(resolvers::add);
            List<HandlerMethodArgumentResolver> others = adapter.getArgumentResolvers();
            if (others != null) {
                resolvers.addAll(others);
            }
            adapter.setArgumentResolvers(List.copyOf(resolvers));
        }
        return bean;
    }
}
