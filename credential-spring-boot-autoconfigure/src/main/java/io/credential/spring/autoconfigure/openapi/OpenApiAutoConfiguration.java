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

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.autoconfigure.security.ApiKeySecurityAutoConfiguration;
import io.credential.spring.autoconfigure.web.TrustedArgumentsAutoConfiguration;
import io.credential.spring.security.ApiKeySecuritySettings;
import io.credential.spring.web.TrustedArgumentResolver;
import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;

/**
 * Describes API keys in the OpenAPI documents of springdoc, and leaves out arguments that callers do not send.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = {TrustedArgumentsAutoConfiguration.class, ApiKeySecurityAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({GlobalOpenApiCustomizer.class, OpenAPI.class, WebMvcConfigurer.class})
public final class OpenApiAutoConfiguration {

    static {
        SpringDocUtils.getConfig()
                .addRequestWrapperToIgnore(ApiKey.class, VerifiedWebhook.class, ProcessorVerification.class);
    }

    @Bean
    GlobalOperationCustomizer credentialTrustedArgumentsInOpenApi(ObjectProvider<TrustedArgumentResolver> resolvers) {
        return new TrustedArgumentCustomizer(resolvers);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SecurityFilterChain.class)
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
