package io.credential.spring.autoconfigure.security;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties.InstallIn;

/**
 * Applies if Spring Security is missing. Fails startup if a bean has {@link io.credential.spring.security.RequiresScope}, and
 * logs a warning if API-key registries are configured: no request is checked for their keys.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingClass(
        "org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor")
final class MissingSecurityConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(MissingSecurityConfiguration.class);

    @Bean
    static MissingSecurityCheck credentialMissingSecurityCheck(ConfigurableListableBeanFactory beans) {
        return new MissingSecurityCheck(beans);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ApiKeyRegistries.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @EnableConfigurationProperties(ApiKeysProperties.class)
    static class Keys {

        @Bean
        static SmartInitializingSingleton credentialMissingSecurityWarning(ApiKeysProperties apiKeys) {
            return () -> {
                if (!apiKeys.registries().isEmpty() && apiKeys.installIn() != InstallIn.NONE) {
                    LOG.warn("API-key registries are configured, but no request is checked for keys, because Spring"
                            + " Security is not on the class path. Add spring-boot-starter-security. If the"
                            + " application verifies keys itself, set credential.api-keys.install-in=none.");
                }
            };
        }
    }
}
