package io.credential.spring.autoconfigure.openapi;

import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import io.swagger.v3.oas.models.OpenAPI;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.autoconfigure.security.ApiKeySecurityAutoConfiguration;
import io.credential.spring.autoconfigure.web.TrustedArgumentsAutoConfiguration;
import io.credential.spring.security.internal.ApiKeySecuritySettings;
import io.credential.spring.web.internal.TrustedArgumentResolver;

/**
 * Describes API keys in the OpenAPI documents of springdoc, and leaves out arguments that callers do not send.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = {TrustedArgumentsAutoConfiguration.class, ApiKeySecurityAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({GlobalOpenApiCustomizer.class, OpenAPI.class, WebMvcConfigurer.class})
public final class OpenApiAutoConfiguration {

    @Bean
    GlobalOperationCustomizer credentialTrustedArgumentsInOpenApi(ObjectProvider<TrustedArgumentResolver> resolvers) {
        Class<?>[] ignored = resolvers.stream()
                .flatMap(resolver -> resolver.types().stream())
                .toArray(Class<?>[]::new);
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(ignored);
        return new TrustedArgumentCustomizer(resolvers);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ApiKeyRegistries.class, SecurityFilterChain.class})
    static class Keys {

        @Bean
        GlobalOperationCustomizer credentialScopesInOpenApi() {
            return new ScopeCustomizer();
        }

        @Bean
        GlobalOpenApiCustomizer credentialApiKeysInOpenApi(
                ObjectProvider<ApiKeySecuritySettings> settings,
                ObjectProvider<ApiKeyRegistries> registries,
                ObjectProvider<SecurityFilterChain> chains,
                ObjectProvider<WebInvocationPrivilegeEvaluator> privileges) {
            return new ApiKeyCustomizer(settings, registries, new KeyedPaths(chains, privileges));
        }
    }
}
