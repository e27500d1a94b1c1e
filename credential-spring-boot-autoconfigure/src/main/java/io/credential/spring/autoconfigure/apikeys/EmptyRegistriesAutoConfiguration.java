package io.credential.spring.autoconfigure.apikeys;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.security.internal.NoRegistries;

/**
 * Configures empty {@link ApiKeyRegistries} if no registry is configured, so that they can always be injected.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ApiKeyRegistriesAutoConfiguration.class)
@ConditionalOnClass(ApiKeyRegistries.class)
public final class EmptyRegistriesAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ApiKeyRegistries credentialNoApiKeyRegistries() {
        return new NoRegistries();
    }
}
