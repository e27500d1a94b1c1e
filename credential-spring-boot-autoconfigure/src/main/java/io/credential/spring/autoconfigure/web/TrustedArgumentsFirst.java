package io.credential.spring.autoconfigure.web;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import io.credential.spring.web.TrustedArgumentResolver;

/**
 * Asks resolvers of trusted arguments ahead of all others. Those of annotations come first otherwise, and
 * {@code @ModelAttribute} would fill such an argument from the parameters of the request.
 */
final class TrustedArgumentsFirst implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof RequestMappingHandlerAdapter adapter && adapter.getArgumentResolvers() != null) {
            List<HandlerMethodArgumentResolver> resolvers = new ArrayList<>(adapter.getArgumentResolvers());
            List<HandlerMethodArgumentResolver> trusted = resolvers.stream()
                    .filter(TrustedArgumentResolver.class::isInstance)
                    .toList();
            resolvers.removeAll(trusted);
            resolvers.addAll(0, trusted);
            adapter.setArgumentResolvers(resolvers);
        }
        return bean;
    }
}
