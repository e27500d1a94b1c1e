package io.credential.spring.autoconfigure.security;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.autoconfigure.ApiKeysProperties;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.CredentialProperties;
import io.credential.spring.autoconfigure.SoleBean;
import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.ApiKeySecuritySettings;

/**
 * Lets every security chain of a servlet application accept API keys once a registry is configured. Publishes no filter,
 * chain, provider, manager or converter: each of these would change the application beyond that.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = CredentialAutoConfiguration.class)
@ConditionalOnClass({HttpSecurity.class, jakarta.servlet.Filter.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@EnableConfigurationProperties(CredentialProperties.class)
public final class ApiKeySecurityAutoConfiguration {

    @Bean
    ApiKeySecuritySettings credentialApiKeySecuritySettings(
            CredentialProperties properties, @CredentialClock ObjectProvider<InstantSource> clocks) {
        ApiKeysProperties apiKeys = properties.apiKeys();
        return new ApiKeySecuritySettings(
                apiKeys.headerName(),
                apiKeys.accept(),
                apiKeys.registries().keySet(),
                unaudited(apiKeys),
                SoleBean.clock(clocks));
    }

    private static Set<String> unaudited(ApiKeysProperties apiKeys) {
        return apiKeys.registries().entrySet().stream()
                .filter(registry -> !registry.getValue().auditFailures())
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Runs before the application's own customizers, so that what they or a chain say replaces it. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    Customizer<HttpSecurity> credentialApiKeysInEveryChain(
            ObjectProvider<ApiKeyRegistries> registries, ApiKeySecuritySettings settings) {
        return http -> {
            ApiKeyRegistries available = registries.getIfAvailable();
            if (available != null
                    && !(available.all().isEmpty() && settings.configured().isEmpty())) {
                http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults());
            }
        };
    }
}
