package io.credential.spring.autoconfigure.security;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties.InstallIn;
import io.credential.spring.autoconfigure.properties.CredentialProperties;

/**
 * Without Spring Security, fails startup of an application with {@link io.credential.spring.security.RequiresScope},
 * which nothing enforces, and warns if registries are configured whose keys no request is checked for.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnMissingClass(
        "org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor")
@EnableConfigurationProperties(CredentialProperties.class)
public final class MissingSecurityAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(MissingSecurityAutoConfiguration.class);

    @Bean
    static UnenforcedScopeCheck credentialUnenforcedScopeCheck(ConfigurableListableBeanFactory beans) {
        return new UnenforcedScopeCheck(beans);
    }

    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static SmartInitializingSingleton credentialMissingSecurityWarning(CredentialProperties properties) {
        return () -> {
            ApiKeysProperties apiKeys = properties.apiKeys();
            if (!apiKeys.registries().isEmpty() && apiKeys.installIn() != InstallIn.NONE) {
                LOG.warn(
                        "API-key registries are configured, but no request is checked for keys, because Spring Security"
                                + " is not on the class path. Add spring-boot-starter-security. If the application verifies"
                                + " keys itself, set credential.api-keys.install-in=none.");
            }
        };
    }
}
