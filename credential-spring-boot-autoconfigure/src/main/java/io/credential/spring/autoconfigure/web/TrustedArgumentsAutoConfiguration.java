package io.credential.spring.autoconfigure.web;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import io.credential.apikey.ApiKey;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.security.internal.ApiKeyArgumentResolver;
import io.credential.spring.web.internal.TrustedArgumentResolver;
import io.credential.spring.webhook.internal.VerifiedWebhookArgumentResolver;
import io.credential.webhook.signature.VerifiedWebhook;

/**
 * Lets controllers take the {@link ApiKey} and the verified webhook of a request as arguments, which Spring MVC then
 * never fills from request parameters, even if no registry or webhook is configured.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(WebMvcConfigurer.class)
public final class TrustedArgumentsAutoConfiguration {

    private static final String SECURITY = "org.springframework.security.core.context.SecurityContextHolder";

    @Bean
    static TrustedArgumentsFirst credentialTrustedArgumentsFirst(ObjectProvider<TrustedArgumentResolver> resolvers) {
        return new TrustedArgumentsFirst(resolvers);
    }

    /** Adds the resolvers for exception handlers, whose arguments the adapter does not resolve. */
    @Bean
    WebMvcConfigurer credentialTrustedArguments(ObjectProvider<TrustedArgumentResolver> trusted) {
        return new WebMvcConfigurer() {

            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                trusted.forEach(resolvers::add);
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(VerifiedWebhook.class)
    static class Webhooks {

        @Bean
        TrustedArgumentResolver credentialVerifiedWebhookArguments() {
            return new VerifiedWebhookArgumentResolver();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(value = ApiKey.class, name = SECURITY)
    static class WithSecurity {

        @Bean
        TrustedArgumentResolver credentialApiKeyArguments(
                ObjectProvider<SecurityContextHolderStrategy> contextHolders) {
            return new ApiKeyArgumentResolver(SharedBeans.sole(contextHolders, SecurityContextHolderStrategy.class)
                    .orElseGet(SecurityContextHolder::getContextHolderStrategy));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ApiKey.class)
    @ConditionalOnMissingClass(SECURITY)
    static class WithoutSecurity {

        @Bean
        TrustedArgumentResolver credentialApiKeyArguments() {
            return new NoApiKeyArguments();
        }
    }

    /** Without Spring Security, no request has a key. */
    private static final class NoApiKeyArguments extends TrustedArgumentResolver {

        NoApiKeyArguments() {
            super(ApiKey.class);
        }

        @Override
        protected @Nullable Object find(Class<?> type, NativeWebRequest request) {
            return null;
        }

        @Override
        protected RuntimeException missing(Class<?> type, NativeWebRequest request) {
            return new IllegalStateException("A controller needs an ApiKey, but nothing authenticates requests by API"
                    + " keys: add spring-boot-starter-security");
        }
    }
}
