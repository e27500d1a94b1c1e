package io.credential.spring.autoconfigure.webhook;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import io.credential.spring.webhook.VerifiedWebhookArgumentResolver;

/**
 * Puts the resolver of verified webhooks ahead of all others. Those for annotations come before an application's own and
 * would fill such an argument from request parameters.
 */
final class VerifiedWebhookArguments implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof RequestMappingHandlerAdapter adapter) {
            List<HandlerMethodArgumentResolver> resolvers = new ArrayList<>();
            resolvers.add(new VerifiedWebhookArgumentResolver());
            List<HandlerMethodArgumentResolver> others = adapter.getArgumentResolvers();
            if (others != null) {
                resolvers.addAll(others);
            }
            adapter.setArgumentResolvers(resolvers);
        }
        return bean;
    }
}
